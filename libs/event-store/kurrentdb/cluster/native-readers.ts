import { BACKWARDS, END, type KurrentDBClient } from '@kurrent/kurrentdb-client';

import { FACTORY_STREAM } from '../../reads.js';
import type { Credentials } from './connection-string.js';
import { drain, NoAnswer, within } from './deadline.js';
import { ANSWER_MS } from './serving-node.js';

/** The client's native part; unlike the client's own reads it hands out events as they are stored. */
export type Native = KurrentDBClient['rustClient'];

/** Least time between two native readers, ms: each looks for the leader, with a connection of its own. */
const RENEW_EVERY_MS = 500;

/**
 * The native reader in use. A native reader (@kurrent/bridge 0.2.2) stays with the node that it chose first, even when
 * that node is gone and another one leads; so one that fails is replaced, and the new one looks for the leader.
 */
export class NativeReaders {
  /** Added to the options of every read; the native part does not decode those of a connection string. */
  readonly credentials: { readonly credentials?: Credentials };
  private native: Native;
  private leaving = new AbortController();
  private renewed_ms = -Infinity;
  /** The reader that is being asked whether it still answers. */
  private doubted: Native | null = null;

  /** @param create makes a reader that is not connected yet */
  constructor(
    private readonly create: () => Native,
    credentials?: Credentials,
  ) {
    this.credentials = credentials ? { credentials } : {};
    this.native = create();
  }

  /** The reader for the next read. */
  get current(): Native {
    return this.native;
  }

  /** Aborted when the node of the current reader is left, for those who wait for it. */
  get left(): AbortSignal {
    return this.leaving.signal;
  }

  /** The node does not answer anything: whoever waits for its reader is told, and it is replaced. */
  leave(): void {
    this.renew();
    this.leaving.abort();
    this.leaving = new AbortController();
  }

  /** A read was not answered: its reader is left unless it answers a question that costs the node nothing. */
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

  /** A node could not be reached or did not answer: unless done just now, its reader is replaced. */
  failed(native: Native): void {
    const now = performance.now();
    if (native !== this.native || now - this.renewed_ms < RENEW_EVERY_MS) return;
    this.renewed_ms = now;
    this.renew();
  }

  private renew(): void {
    try {
      this.native = this.create();
    } catch {
      // The file of authorities cannot be read just now: the old reader goes on.
    }
  }
}
