import { setTimeout as after } from 'node:timers/promises';
import type { Notice } from '../../../../libs/engine/following/append-health.js';
import {
  causesOf,
  StoreUnavailable,
  StoreRefused,
  StoreUnusable,
} from '../../../../libs/event-store/port.js';
import type { JsonLogger } from './logging.js';

/** Minimum time between two log lines of the same failure, ms. */
const REPEAT_INTERVAL_MS = 600_000;
/** Most failures held; above it all are discarded and logged again. */
const MOST_KNOWN = 1_000;

/** Reports a failure in background work: the failed task in words, its drive (empty if none) and the error. */
export type Report = (what: string, drive_id: string, error: unknown) => void;

/** Logs every notice, because each one reports a change. */
export function noticeTo(logger: JsonLogger): Notice {
  return (what, failure) => {
    if (!failure) return logger.log(what);
    logger.failure({ what, drive_id: failure.drive_id }, failure.error);
  };
}

/** How to find out that the stores can be reached again. */
interface WatchedStores {
  /** Resolves if all stores can be reached. */
  readonly check: () => Promise<unknown>;
  /** Pause between two checks while a store is unavailable, ms; default: 1000. */
  readonly interval_ms?: number;
}

interface Known {
  readonly logged_ms: number;
  /** Occurrences since it was last logged. */
  repeated: number;
}

/**
 * Logs failures of background work, which is retried continually. The same failure of the same organization is logged
 * at once and then every ten minutes while it lasts, with the number of occurrences in between (`repeated`).
 * While a store is unavailable, only the first failure is logged, and later that the store can be reached again.
 * @param clock milliseconds since epoch; for tests
 */
export function reportOnce(
  logger: JsonLogger,
  clock: () => number = Date.now,
  stores?: WatchedStores,
): Report {
  const known = new Map<string, Known>();
  const outage = stores && new Outage(logger, clock, stores);
  return (what, drive_id, error) => {
    // The appender logs refused appends.
    if (isRefusedAppend(error)) return;
    if (outage && isUnavailable(error)) return outage.record(what, drive_id, error);
    const now = clock();
    const key = `${what}\n${drive_id}\n${String(error)}`;
    const before = known.get(key);
    if (before && now - before.logged_ms < REPEAT_INTERVAL_MS) {
      before.repeated += 1;
      return;
    }
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, { logged_ms: now, repeated: 0 });
    const repeated = before?.repeated ?? 0;
    logger.failure({ what, drive_id, ...(repeated > 0 && { repeated }) }, error);
  };
}

/** True if a store is unavailable for some time; false for an unusable file, which is permanent. */
function isUnavailable(error: unknown): boolean {
  const cause = causesOf(error).find((at) => at instanceof StoreUnavailable);
  return cause !== undefined && !(cause instanceof StoreUnusable);
}

function isRefusedAppend(error: unknown): boolean {
  return storeRefusalIn(error)?.of_appends === true;
}

/** The refusal by a store that caused an error, if any. */
function storeRefusalIn(error: unknown): StoreRefused | undefined {
  return causesOf(error).find((at) => at instanceof StoreRefused);
}

/** Logs once that a store is unavailable, and once that all stores can be reached again. */
class Outage {
  private since_ms: number | null = null;
  private repeated = 0;

  constructor(
    private readonly logger: JsonLogger,
    private readonly clock: () => number,
    private readonly stores: WatchedStores,
  ) {}

  record(what: string, drive_id: string, error: unknown): void {
    this.repeated += 1;
    if (this.since_ms !== null) return;
    this.since_ms = this.clock();
    this.repeated = 0;
    const message = storeRefusalIn(error)
      ? 'a store refuses this service; background work waits until it accepts requests again'
      : 'a store cannot be reached; background work waits for it';
    this.logger.failure({ what: message, failed: what, drive_id }, error);
    void this.watch(this.since_ms);
  }

  private async watch(since_ms: number): Promise<void> {
    const { check, interval_ms = 1_000 } = this.stores;
    do await after(interval_ms, undefined, { ref: false });
    while (!(await succeeds(check)));
    this.since_ms = null;
    const seconds = Math.round((this.clock() - since_ms) / 1000);
    this.logger.log(
      `the store can be reached again after ${seconds} s; ${this.repeated} more failures were not logged`,
    );
  }
}

async function succeeds(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}
