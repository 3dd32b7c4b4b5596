import {
  StreamDeleted,
  type EventStore,
  toldIn,
  WrongExpectedRevision,
} from '../../event-store/port.js';
import { FACTORY_ID, streamOf } from '../fold/fold.js';
import { KeyTaken } from '../writer/append-batch.js';

/** Least time between two questions to the store whether it takes appends again, ms. */
const CHECK_EVERY_MS = 1_000;

/** Tells operators of a change; `failure` is what brought it about, if anything failed. */
export type Notice = (
  what: string,
  failure?: { readonly drive_id: string; readonly error: unknown },
) => void;

export interface AppendHealthOptions {
  readonly events: EventStore;
  /** Milliseconds since epoch. */
  readonly clock: () => number;
  /** Told once when appends begin to fail, with the first that did, and once when they succeed again. */
  readonly notice: Notice;
}

/** An outage of appends. */
interface Outage {
  readonly since_ms: number;
  /** Of the largest append that failed. */
  bytes: number;
  checked_ms: number;
  /** Why, for callers; null if nothing is known. */
  told: string | null;
}

/**
 * Whether the store takes appends, as the last one showed it. A service that is not ready gets no commands,
 * so while appends fail the store itself is asked whether it would take one.
 */
export class AppendHealth {
  private outage: Outage | null = null;
  private checking: Promise<void> | null = null;

  constructor(private readonly options: AppendHealthOptions) {}

  get is_failing(): boolean {
    return this.outage !== null;
  }

  /** Why appends fail, as one sentence for callers without a full stop; null where nothing is known. */
  get told(): string | null {
    return this.outage?.told ?? null;
  }

  /** An append failed. @param bytes of its events */
  failed(drive_id: string, error: unknown, bytes: number): void {
    if (isOfOneDrive(error)) return;
    const { clock, notice } = this.options;
    if (this.outage) {
      this.outage.bytes = Math.max(this.outage.bytes, bytes);
      this.outage.told = toldIn(error);
      return;
    }
    const since_ms = clock();
    this.outage = { since_ms, bytes, checked_ms: since_ms, told: toldIn(error) };
    notice('appends fail; commands answer 503 until they succeed again', { drive_id, error });
  }

  /** An append succeeded. */
  succeeded(): void {
    const { outage } = this;
    if (!outage) return;
    this.outage = null;
    const seconds = Math.round((this.options.clock() - outage.since_ms) / 1000);
    this.options.notice(`appends succeed again after ${seconds} s`);
  }

  /** Asks the store, while appends fail, whether it would take the next one; at most once a second. */
  async check(): Promise<void> {
    const { outage } = this;
    if (!outage) return;
    const now = this.options.clock();
    if (!this.checking && now - outage.checked_ms >= CHECK_EVERY_MS) {
      outage.checked_ms = now;
      this.checking = this.ask(outage.bytes).finally(() => {
        this.checking = null;
      });
    }
    await this.checking;
  }

  private async ask(bytes: number): Promise<void> {
    const { events } = this.options;
    try {
      // A store that cannot be asked counts as well once it answers: the next append shows the rest.
      await (events.checkAppends?.(bytes) ?? events.head(streamOf(FACTORY_ID)));
    } catch (error) {
      if (this.outage) this.outage.told = toldIn(error);
      return;
    }
    this.succeeded();
  }
}

/** What says nothing about the appends of other drives. */
function isOfOneDrive(error: unknown): boolean {
  return (
    error instanceof WrongExpectedRevision ||
    error instanceof KeyTaken ||
    error instanceof StreamDeleted
  );
}
