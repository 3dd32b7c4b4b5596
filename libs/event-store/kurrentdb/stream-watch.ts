import type { Subscription } from '../port.js';
import { Backoff } from './cluster/backoff.js';
import type { LiveListener, LiveSignal } from './live.js';
import { METADATA_PREFIXES, type Reader } from './reader.js';
import { positionOf } from './stored-form.js';

/** Metadata changes per read, after the subscription was interrupted. */
const PAGE = 500;

/**
 * Reports streams whose metadata other programs changed or that they deleted. The live subscription shows each
 * change; after an interruption the missed changes are read once, from the last position shown.
 */
export class StreamWatch implements LiveListener, Subscription {
  private readonly stopping = new AbortController();
  private reading: Promise<void> = Promise.resolve();
  /** True once everything up to the last event shown has been processed. */
  private is_current = false;
  /** Counts confirmations: a read for an earlier one says nothing about the interruption before the next. */
  private confirmations = 0;
  private readonly stopTelling: () => void;

  /** @param seen position up to which changes are known */
  constructor(
    private readonly reader: Reader,
    live: LiveSignal,
    private readonly changed: (stream: string) => void,
    private seen: number,
  ) {
    this.stopTelling = live.tell(this);
    live.start();
  }

  confirmed(): void {
    this.is_current = false;
    const confirmation = (this.confirmations += 1);
    this.reading = this.reading.then(() => this.readOn(confirmation));
  }

  passed(position: number, changed_stream: string | null): void {
    if (this.is_current) this.seen = Math.max(this.seen, position);
    if (changed_stream !== null) this.changed(changed_stream);
  }

  /** A changed stream was found outside the subscription. */
  note(stream: string): void {
    this.changed(stream);
  }

  async stop(): Promise<void> {
    this.stopTelling();
    this.stopping.abort();
    await this.reading;
  }

  /** Reads the changes during an interruption. A tombstone is detected by the next read or append. */
  private async readOn(confirmation: number): Promise<void> {
    const { signal } = this.stopping;
    const backoff = new Backoff();
    while (!signal.aborted && confirmation === this.confirmations) {
      try {
        const page = await this.reader.all(this.seen, PAGE, METADATA_PREFIXES);
        // A read begins at the position itself.
        const fresh = page.filter((raw) => positionOf(raw) > this.seen);
        for (const raw of fresh) {
          this.seen = positionOf(raw);
          this.changed(raw.streamId.slice('$$'.length));
        }
        if (page.length === PAGE && fresh.length > 0) continue;
        this.is_current = confirmation === this.confirmations;
        return;
      } catch {
        // Other calls report why the store cannot be read.
        await backoff.wait(signal);
      }
    }
  }
}
