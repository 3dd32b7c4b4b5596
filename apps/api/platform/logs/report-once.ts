import { setTimeout as after } from 'node:timers/promises';
import type { Notice } from '../../../../libs/engine/following/append-health.js';
import {
  causesOf,
  StoreUnavailable,
  StoreRefused,
  StoreUnusable,
} from '../../../../libs/event-store/port.js';
import type { JsonLogger } from './logging.js';

/** How long the same failure is not logged again, ms. */
const QUIET_MS = 600_000;
/** Failures that are remembered; beyond it all are forgotten and logged again. */
const MOST_KNOWN = 1_000;

/** Tells of a failure in background work. */
export type Report = (what: string, drive_id: string, error: unknown) => void;

/** Logs every notice: each tells of a change. */
export function noticeTo(logger: JsonLogger): Notice {
  return (what, failure) => {
    if (!failure) return logger.log(what);
    logger.failure({ what, drive_id: failure.drive_id }, failure.error);
  };
}

/** How to find out that stores are back. */
export interface WatchedStores {
  /** Resolves if all stores can be reached. */
  readonly ask: () => Promise<unknown>;
  /** Pause between two questions while one is away, ms; 1 s unless told. */
  readonly every_ms?: number;
}

interface Known {
  readonly logged_ms: number;
  /** Times that it was met and not logged since. */
  repeated: number;
}

/**
 * Logs failures of background work, which is tried again and again: the same failure of the same organization at
 * once and then every ten minutes while it lasts, with how often it was met in between.
 * While a store is away, only the first failure is logged, and that the store is back.
 * @param clock milliseconds since epoch; for tests
 */
export function reportOnce(
  logger: JsonLogger,
  clock: () => number = Date.now,
  stores?: WatchedStores,
): Report {
  const known = new Map<string, Known>();
  const absence = stores && new Absence(logger, clock, stores);
  return (what, drive_id, error) => {
    // The appender logs it.
    if (isRefusedAppend(error)) return;
    if (absence && isAway(error)) return absence.met(what, drive_id, error);
    const now = clock();
    const key = `${what}\n${drive_id}\n${String(error)}`;
    const before = known.get(key);
    if (before && now - before.logged_ms < QUIET_MS) {
      before.repeated += 1;
      return;
    }
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, { logged_ms: now, repeated: 0 });
    const repeated = before?.repeated ?? 0;
    logger.failure({ what, drive_id, ...(repeated > 0 && { repeated }) }, error);
  };
}

/** True if a store could not be reached: that passes, unlike a file that cannot be used. */
function isAway(error: unknown): boolean {
  const away = causesOf(error).find((at) => at instanceof StoreUnavailable);
  return away !== undefined && !(away instanceof StoreUnusable);
}

function isRefusedAppend(error: unknown): boolean {
  return storeErrorIn(error)?.of_appends === true;
}

/** The refusal of a store behind an error. */
function storeErrorIn(error: unknown): StoreRefused | undefined {
  return causesOf(error).find((at) => at instanceof StoreRefused);
}

/** Logs once that stores are away, and once that they are back. */
class Absence {
  private since_ms: number | null = null;
  private repeated = 0;

  constructor(
    private readonly logger: JsonLogger,
    private readonly clock: () => number,
    private readonly stores: WatchedStores,
  ) {}

  met(what: string, drive_id: string, error: unknown): void {
    this.repeated += 1;
    if (this.since_ms !== null) return;
    this.since_ms = this.clock();
    this.repeated = 0;
    const message = storeErrorIn(error)
      ? 'a store refuses this service; background work waits until it does not'
      : 'a store cannot be reached; background work waits for it';
    this.logger.failure({ what: message, failed: what, drive_id }, error);
    void this.watch(this.since_ms);
  }

  private async watch(since_ms: number): Promise<void> {
    const { ask, every_ms = 1_000 } = this.stores;
    do await after(every_ms, undefined, { ref: false });
    while (!(await succeeds(ask)));
    this.since_ms = null;
    const seconds = Math.round((this.clock() - since_ms) / 1000);
    this.logger.log(
      `the store can be reached again after ${seconds} s; ${this.repeated} more failures were not logged`,
    );
  }
}

async function succeeds(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch {
    return false;
  }
}
