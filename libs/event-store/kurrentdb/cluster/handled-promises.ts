/**
 * The client (@kurrent/kurrentdb-client 1.3.1) has promises without handlers; a rejection of one ends the process. It
 * also caches the promise of the server features even if that query failed, so that every later append fails. Both
 * are corrected here from outside.
 */
import type { KurrentDBClient } from '@kurrent/kurrentdb-client';
import type { ServerFeatures } from '@kurrent/kurrentdb-client/dist/Client/ServerFeatures.js';
import writing from '@kurrent/kurrentdb-client/dist/utils/backpressuredWrite.js';

import { askFeatures, noteStreams } from './serving-node.js';

/** Members hidden by the client's type. */
interface Hidden {
  /** Called without `await` when a call or a stream fails; rejects if the search for another node fails. */
  handleError(...failed: readonly unknown[]): Promise<void>;
  /** The answer to the first query on a connection; queried again after a failure. */
  readonly capabilities: Promise<ServerFeatures>;
}

/** Resolves at once while a connection is believed to be good; otherwise once there is one. */
export async function connected(client: KurrentDBClient): Promise<void> {
  await (client as unknown as Partial<Hidden>).capabilities;
}

/** The same client, patched. */
export function withHandledPromises(client: KurrentDBClient): KurrentDBClient {
  const hidden = client as unknown as Hidden;
  const handleError = hidden.handleError.bind(client);
  let features: Promise<ServerFeatures> | undefined;
  hidden.handleError = async (...failed) => {
    // Another node may have another version.
    features = undefined;
    // The next call looks for a node again.
    await handleError(...failed).catch(() => {});
  };
  Object.defineProperty(client, 'capabilities', {
    get: () => (features ??= askOnce()),
  });
  noteStreams(client);
  return client;

  function askOnce(): Promise<ServerFeatures> {
    const asked = askFeatures(client);
    asked.catch(() => {
      if (features === asked) features = undefined;
    });
    return asked;
  }
}

/**
 * A batch append awaits its writes in a promise without a handler. When the stream breaks, pending writes are
 * rejected, and the append itself too: the writes need not fail as well.
 */
const write = writing.backpressuredWrite;
const handledWrite: typeof write = async (stream, data) => {
  await write(stream, data).catch(() => {});
};
(writing as { backpressuredWrite: typeof write }).backpressuredWrite = handledWrite;
