import { texts } from '../texts.js';
import { Time } from './time.js';
import styles from './period.module.css';

interface PeriodProps {
  /** Since epoch; 0: from the start. */
  readonly from_ms: number;
  /** Since epoch; -1: without end. */
  readonly to_ms: number;
}

/** When something applies, in words behind what applies; nothing if that is always. */
export function Period({ from_ms, to_ms }: PeriodProps) {
  if (from_ms <= 0 && to_ms <= 0) return null;
  return (
    <span className={styles.period}>
      {' '}
      {from_ms > 0 && (
        <>
          {texts.period.from} <Time ms={from_ms} />
        </>
      )}
      {from_ms > 0 && to_ms > 0 && ' '}
      {to_ms > 0 && (
        <>
          {texts.period.until} <Time ms={to_ms} />
        </>
      )}
    </span>
  );
}

/** The period of a record with these fields, such as a grant, an invite or a key. */
export function periodOf(record: Readonly<Record<string, unknown>>): PeriodProps {
  const { begin_date_ms, active_from, begins_at, expiry_date_ms, expires_at } = record;
  return {
    from_ms: Number(begin_date_ms ?? active_from ?? begins_at ?? 0),
    to_ms: Number(expiry_date_ms ?? expires_at ?? -1),
  };
}
