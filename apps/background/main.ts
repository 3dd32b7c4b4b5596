import { parentPort, workerData } from 'node:worker_threads';

import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { StateLoader } from '../../libs/engine/fold/loader.js';
import { FoldedSnapshots } from '../../libs/engine/snapshots/snapshot-maker.js';
import { openStores } from '../../libs/stores/open.js';
import type { StoreSettings } from '../../libs/stores/settings.js';
import type { ThreadAnswer } from '../../libs/threads/thread.js';

/** What a thread is started with. */
export interface ThreadData {
  readonly settings: StoreSettings;
  readonly most_bytes: number;
}

/** A snapshot to make; without members: close the stores. */
interface Question {
  readonly id: number;
  readonly drive_id?: string;
  readonly revision?: number;
}

/** The program of the snapshot thread. It reads the stores and writes nothing: the process that asks does. */
const { settings, most_bytes } = workerData as ThreadData;

const opening = openStores(copied(settings), {
  to: 'read',
  schema: READ_SCHEMA,
  max_append_bytes: 0,
});
const snapshots = opening.then(
  ({ events, side }) => new FoldedSnapshots(new StateLoader(events, side, most_bytes)),
);

parentPort!.on('message', ({ id, drive_id, revision }: Question) => {
  const answering =
    drive_id === undefined
      ? opening.then((stores) => stores.close())
      : snapshots.then((maker) => maker.make(drive_id, revision!));
  answering.then(
    (answer) => send({ id, answer }),
    (error: unknown) => send({ id, failure: String(error) }),
  );
});

function send(message: ThreadAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort!.postMessage(message);
}

/** Buffers arrive as plain arrays of bytes. */
function copied({ master_key, signing_key, ...others }: StoreSettings): StoreSettings {
  return {
    ...others,
    master_key: master_key && Buffer.from(master_key),
    signing_key: signing_key && Buffer.from(signing_key),
  };
}
