import { BACKWARDS, END, type KurrentDBClient } from '@kurrent/kurrentdb-client';

import { FACTORY_STREAM } from '../../reads.js';
import type { Credentials } from './connection-string.js';
import { drain, NoAnswer, within } from './deadline.js';
import { ANSWER_MS } from './serving-node.js';

/** The client's native reader; unlike the client's own reads it returns events as stored. */
export type Native = KurrentDBClient['rustClient'];

/** Minimum time between two native readers, ms: each looks for the leader, with its own connection. */
const RENEW_EVERY_MS = 500;

/**
 * The current native reader. A native reader (@kurrent/bridge 0.2.2) stays with the node that it chose first, even if
 * that node has failed and another one leads. A failing reader is therefore replaced, and the new one looks for the
 * leader.
 */
export class NativeReaders {
  /** Added to the options of every read; the native reader does not decode those of a connection string. */
  readonly credentials: { readonly credentials?: Credentials };
  private native: Native;
  private leaving = new AbortController();
  private renewed_ms = -Infinity;
  /** The reader whose node is being probed. */
  private doubted: Native | null = null;

  /** @param create creates an unconnected reader; one that looks for the leader avoids the silent `host:port` */
  constructor(
    private readonly create: (silent?: string) => Native,
    credentials?: Credentials,
  ) {
    this.credentials = credentials ? { credentials } : {};
    this.native = create();
  }

  /** The reader for the next read. */
  get current(): Native {
    return this.native;
  }

  /** Aborted when the client leaves the current reader's node, for all that wait for it. */
  get left(): AbortSignal {
    return this.leaving.signal;
  }

  /** The node does not answer: ends all waits for its reader, and replaces it. @param silent its `host:port`, if known */
  leave(silent?: string): void {
    this.renew(silent);
    this.leaving.abort();
    this.leaving = new AbortController();
  }

  /** A read was not answered: probes the node, and leaves its reader if it does not answer. */
  async doubt(native: Native): Promise<void> {
    if (native !== this.native || native === this.doubted) return;
    this.doubted = native;
    try {
      await within(this.ask(native), ANSWER_MS);
    } catch (error) {
      // Any other error is an answer.
      if (error instanceof NoAnswer && native === this.native) this.leave();
    } finally {
      this.doubted = null;
    }
  }

  private async ask(native: Native): Promise<void> {
    const read = native.readStream(FACTORY_STREAM, {
      ...this.credentials,
      fromRevision: END,
      direction: BACKWARDS,
      maxCount: 1n,
      requiresLeader: true,
      resolvesLink: false,
    });
    const answers = read[Symbol.asyncIterator]();
    const first = answers.next();
    await first;
    void drain(answers, first);
  }

  /** A node was unreachable or did not answer: replaces its reader, unless that has just happened. */
  failed(native: Native): void {
    const now = performance.now();
    if (native !== this.native || now - this.renewed_ms < RENEW_EVERY_MS) return;
    this.renewed_ms = now;
    this.renew();
  }

  private renew(silent?: string): void {
    try {
      this.native = this.create(silent);
    } catch {
      // The CA file cannot be read at the moment: keep the old reader.
    }
  }
}
