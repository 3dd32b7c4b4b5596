/**
 * The client (@kurrent/kurrentdb-client 1.3.1) has promises that nobody awaits. A rejection of one ends the process.
 * It keeps one promise too long: the answer to which features the server has, even when that question failed, so
 * that every later append fails with it. And it stays with a node that is silent, as a frozen one is, until keep-alive
 * finds the connection dead after 20 s. All three are corrected here from outside.
 */
import { type KurrentDBClient, UnavailableError } from '@kurrent/kurrentdb-client';
import { ServerFeatures } from '@kurrent/kurrentdb-client/dist/Client/ServerFeatures.js';
import writing from '@kurrent/kurrentdb-client/dist/utils/backpressuredWrite.js';

import { NoAnswer, within } from './deadline.js';

/** By then a node says which features it has; another is looked for otherwise. */
const SILENT_MS = 2_000;

/** Members that the client's type hides. */
interface Hidden {
  /** Called without `await` when a call or a stream fails; rejects when the search for another node fails. */
  handleError(...failed: readonly unknown[]): Promise<void>;
  /** The answer to the first question on a connection; asked again after one has failed. */
  readonly capabilities: Promise<ServerFeatures>;
  execute(...call: typeof ServerFeatures.createServerFeatures): Promise<ServerFeatures>;
}

/** The connection to a node, as the client knows it. */
export type Node = Parameters<(typeof ServerFeatures.createServerFeatures)[2]>[0];

const nodes = new WeakMap<KurrentDBClient, Node>();

/** The node that the client speaks to; undefined while it looks for one. */
export function nodeOf(client: KurrentDBClient): Node | undefined {
  return nodes.get(client);
}

/** Has the client look for a node anew, unless it has left this one already. Calls under way to it fail. */
export function leave(client: KurrentDBClient, node: Node): void {
  if (nodes.get(client) === node)
    void (client as unknown as Hidden).handleError(node, new UnavailableError());
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
    nodes.delete(client);
    // The next call looks for a node again.
    await handleError(...failed).catch(() => {});
  };
  Object.defineProperty(client, 'capabilities', {
    get: () => (features ??= askFeatures()),
  });
  return client;

  function askFeatures(): Promise<ServerFeatures> {
    const [service, name, ask] = ServerFeatures.createServerFeatures;
    const asked = hidden.execute(service, name, async (node) => {
      nodes.set(client, node);
      return await within(ask(node), SILENT_MS).catch((error: unknown) => {
        throw error instanceof NoAnswer ? new UnavailableError() : error;
      });
    });
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
