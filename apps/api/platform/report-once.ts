import type { Notice } from '../../../libs/engine/append-health.js';
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

interface Known {
  readonly logged_ms: number;
  /** Times that it was met and not logged since. */
  repeated: number;
}

/**
 * Logs failures of background work, which is tried again and again: the same failure of the same organization at
 * once and then every ten minutes while it lasts, with how often it was met in between.
 * @param clock milliseconds since epoch; for tests
 */
export function reportOnce(logger: JsonLogger, clock: () => number = Date.now): Report {
  const known = new Map<string, Known>();
  return (what, drive_id, error) => {
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
