import type { KurrentDBClient } from '@kurrent/kurrentdb-client';

import type { Credentials } from './connection-string.js';

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
