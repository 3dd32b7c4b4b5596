import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { StateLoader } from '../../libs/engine/fold/loader.js';
import { FoldingIndexer, refolded } from '../../libs/engine/read-models/index-folder.js';
import { foldedSnapshot, FoldedSnapshots } from '../../libs/engine/snapshots/snapshot-maker.js';
import { type LongQuery, runForQuery } from '../../libs/engine/tasks/long-query.js';
import { FoldingVerifier } from '../../libs/engine/verify/verifier.js';
import type { EventIndex } from '../../libs/event-store/stores.js';
import { openStores } from '../../libs/stores/open.js';
import type { StoreSettings } from '../../libs/stores/settings.js';
import { answerQuestions, type Asker } from '../../libs/threads/answering.js';
import { type Outcome, outcomeOf } from './failures.js';
import type { Question, ThreadData, Works } from './questions.js';
import { servedByHelpers } from './served-by-helpers.js';

/** About a tenth of the processor time of a thread that needs it too. */
const NICENESS = 10;

/** The program of the background thread. It reads the stores and writes nothing: the process that asks does. */
const { settings, most_bytes } = workerData as ThreadData;

// Requests go first. On Linux this concerns the calling thread alone, and those that it starts.
if (process.platform === 'linux') setPriority(NICENESS);

const working = openStores(copied(settings), {
  to: 'read',
  schema: READ_SCHEMA,
  max_append_bytes: 0,
}).then(
  (stores) => {
    const { events, side } = stores;
    const loader = new StateLoader(events, side, most_bytes);
    return {
      ...{ stores, events, loader },
      snapshots: new FoldedSnapshots(loader),
      verifier: new FoldingVerifier(events, side),
      indexer: new FoldingIndexer(events, loader),
    };
  },
  // The thread ends, with this as the cause and without other answers; the next question starts another one.
  (error: unknown) => {
    queueMicrotask(() => {
      throw error;
    });
    return new Promise<never>(() => {});
  },
);

answerQuestions<Question>(parentPort!, async (question, asker) => {
  if (question.work === 'close') return { answer: await (await working).stores.close() };
  // Its end ends the fold.
  const query: LongQuery = {
    ...{ signal: asker.signal, begin() {}, end() {} },
    folded: (events) => void asker.call('folded', events).catch(() => {}),
  };
  const outcome = await runForQuery(query, () => outcomeOf(work(question, asker)));
  return { answer: outcome, moved: snapshotsIn(outcome) };
});

async function work(
  question: Exclude<Question, { work: 'close' }>,
  asker: Asker,
): Promise<Works[keyof Works]['answer']> {
  const { events, loader, snapshots, verifier, indexer } = await working;
  const append: EventIndex['append'] = (index_id, text, last) =>
    asker.callMoving([text], 'append', index_id, text, last);
  switch (question.work) {
    case 'snapshot':
      return snapshots.make(question.asked.drive_id, question.asked.revision);
    case 'fold': {
      const { drive_id, revision, verify } = question.asked;
      return foldedSnapshot(loader, drive_id, revision, verify);
    }
    case 'verify':
      return verifier.verify(question.asked, servedByHelpers(asker));
    case 'refold': {
      const { drive_id, revision, append_events } = question.asked;
      return refolded(events, drive_id, revision, append_events ? { append, append_events } : null);
    }
    case 'index': {
      const { append_events, ...span } = question.asked;
      return indexer.index(span, { append, append_events }, asker.signal);
    }
  }
}

/** The bytes of a snapshot in an answer that have a buffer of their own; small ones share it with others. */
function snapshotsIn(outcome: Outcome<Works[keyof Works]['answer']>): Uint8Array[] {
  const answer = 'done' in outcome ? outcome.done : null;
  const body = answer && 'body' in answer && answer.body;
  if (!(body instanceof Uint8Array)) return [];
  return body.byteLength === body.buffer.byteLength ? [body] : [];
}

/** Buffers arrive as plain arrays of bytes. */
function copied({ master_key, signing_key, ...others }: StoreSettings): StoreSettings {
  return {
    ...others,
    master_key: master_key && Buffer.from(master_key),
    signing_key: signing_key && Buffer.from(signing_key),
  };
}
