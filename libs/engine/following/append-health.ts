import {
  StreamDeleted,
  type EventStore,
  publicMessageOf,
  WrongExpectedRevision,
} from '../../event-store/port.js';
import { FACTORY_ID, streamOf } from '../fold/fold.js';
import { KeyTaken } from '../writer/append-batch.js';

/** Minimum time between two checks whether the store accepts appends again, ms. */
const CHECK_EVERY_MS = 1_000;

/** Logs a change for operators; `failure` is its cause, if any. */
export type Notice = (
  what: string,
  failure?: { readonly drive_id: string; readonly error: unknown },
) => void;

interface AppendHealthOptions {
  readonly events: EventStore;
  /** Milliseconds since epoch. */
  readonly clock: () => number;
  /** Called once when appends begin to fail, with the first failure, and once when they succeed again. */
  readonly notice: Notice;
}

interface Outage {
  readonly since_ms: number;
  /** Bytes of the largest failed append. */
  bytes: number;
  checked_ms: number;
  /** The cause, for callers; null if unknown. */
  public_message: string | null;
}

/**
 * Whether the store accepts appends, judged by the last one. A service that is not ready receives no commands, so
 * while appends fail the store itself is checked.
 */
export class AppendHealth {
  private outage: Outage | null = null;
  private checking: Promise<void> | null = null;

  constructor(private readonly options: AppendHealthOptions) {}

  get is_failing(): boolean {
    return this.outage !== null;
  }

  /** Cause of the failing appends as a sentence for callers without a full stop; null if unknown. */
  get public_message(): string | null {
    return this.outage?.public_message ?? null;
  }

  /** Records a failed append. @param bytes of its events */
  failed(drive_id: string, error: unknown, bytes: number): void {
    if (isOfOneDrive(error)) return;
    const { clock, notice } = this.options;
    if (this.outage) {
      this.outage.bytes = Math.max(this.outage.bytes, bytes);
      this.outage.public_message = publicMessageOf(error);
      return;
    }
    const since_ms = clock();
    this.outage = { since_ms, bytes, checked_ms: since_ms, public_message: publicMessageOf(error) };
    notice('appends fail; commands answer 503 until they succeed again', { drive_id, error });
  }

  succeeded(): void {
    const { outage } = this;
    if (!outage) return;
    this.outage = null;
    const seconds = Math.round((this.options.clock() - outage.since_ms) / 1000);
    this.options.notice(`appends succeed again after ${seconds} s`);
  }

  /** While appends fail, checks whether the store would accept the next one; at most once a second. */
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
      // If the store has no such check, a read suffices: the next append shows the rest.
      await (events.checkAppends?.(bytes) ?? events.head(streamOf(FACTORY_ID)));
    } catch (error) {
      if (this.outage) this.outage.public_message = publicMessageOf(error);
      return;
    }
    this.succeeded();
  }
}

/** True for failures that say nothing about the appends of other drives. */
function isOfOneDrive(error: unknown): boolean {
  return (
    error instanceof WrongExpectedRevision ||
    error instanceof KeyTaken ||
    error instanceof StreamDeleted
  );
}
