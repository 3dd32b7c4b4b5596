/**
 * The client (@kurrent/kurrentdb-client 1.3.1) has promises that nobody awaits. A rejection of one ends the process.
 * And it keeps one promise too long: the answer to which features the server has, even when that question failed, so
 * that every later append fails with it. Both are corrected here from outside.
 */
import type { KurrentDBClient } from '@kurrent/kurrentdb-client';
import type { ServerFeatures } from '@kurrent/kurrentdb-client/dist/Client/ServerFeatures.js';
import writing from '@kurrent/kurrentdb-client/dist/utils/backpressuredWrite.js';

import { askFeatures, noteStreams } from './serving-node.js';

/** Members that the client's type hides. */
interface Hidden {
  /** Called without `await` when a call or a stream fails; rejects when the search for another node fails. */
  handleError(...failed: readonly unknown[]): Promise<void>;
  /** The answer to the first question on a connection; asked again after one has failed. */
  readonly capabilities: Promise<ServerFeatures>;
}

/** Resolves at once while a connection is thought to be good; otherwise when there is one. */
export async function connected(client: KurrentDBClient): Promise<void> {
  await (client as unknown as Partial<Hidden>).capabilities;
}

/** The same client. */
export function withHandledPromises(client: KurrentDBClient): KurrentDBClient {
  const hidden = client as unknown as Hidden;
  const handleError = hidden.handleError.bind(client);
  let features: Promise<ServerFeatures> | undefined;
  hidden.handleError = async (...failed) => {
    // Another node may be of another version.
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
 * A batch append awaits its writes in a promise that nobody sees. When the stream breaks, those that wait are
 * rejected, and so is the append itself in another way: the writes need not fail as well.
 */
const write = writing.backpressuredWrite;
const handledWrite: typeof write = async (stream, data) => {
  await write(stream, data).catch(() => {});
};
(writing as { backpressuredWrite: typeof write }).backpressuredWrite = handledWrite;
