import type { HeldInterval } from '../../api/answers.js';
import { Section } from '../../components/section.js';
import { Empty, Failed, Loading } from '../../components/states.js';
import { usePoint } from '../../point/point-context.js';
import { READ_NOW_EVERY_MS } from '../../point/use-reads-again.js';
import { timeOf, timePoint } from '../../point/view.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { Time } from '../../time/time.js';
import { timeText } from '../../time/zone.js';
import { useZone } from '../../time/zone-context.js';
import { texts } from '../../texts.js';
import type { Pair } from './explanation.js';
import styles from './access.module.css';

/** When a person held permissions on a record: for each interval a bar, which leads to its beginning, and its times. */
export function Bars({ who, what }: Pair) {
  const { at, event, overview, error: past_error } = usePoint();
  const { data, dataUpdatedAt, error, refetch } = useDriveQuery(
    ['access_timeline', who, what, overview?.to_revision],
    ({ organization }, options) =>
      organization.access_timeline({ grantee_id: who, resource_id: what }, options),
    { refetchInterval: READ_NOW_EVERY_MS },
  );
  // Without the permission to look at the past, the first interval is the earliest that is known.
  const from_ms =
    overview?.from_ms ?? Math.min(...(data?.intervals ?? []).map((interval) => interval.from_ms));
  const to_ms = Math.max(dataUpdatedAt, overview?.to_ms ?? 0);
  const place = (ms: number): number =>
    Math.min(100, Math.max(0, (100 * (ms - from_ms)) / Math.max(1, to_ms - from_ms)));
  const point_ms = at === null ? to_ms : (timeOf(at) ?? event?.timestamp_ms ?? to_ms);
  return (
    <Section title={texts.access.when}>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !data || (!overview && !past_error) ? (
        <Loading />
      ) : data.intervals.length === 0 ? (
        <Empty title={texts.access.never_held} />
      ) : (
        <dl className={styles.bars}>
          {[...byType(data.intervals)].map(([type, intervals]) => (
            <div key={type}>
              <dt>{type}</dt>
              <dd className={styles.track}>
                {intervals.map((interval) => (
                  <Bar key={interval.from_ms} interval={interval} place={place} end_ms={to_ms} />
                ))}
                <span
                  className={styles.point}
                  // The page's policy allows styles that scripts set, and no style attributes.
                  ref={(element) => element?.style.setProperty('left', `${place(point_ms)}%`)}
                />
              </dd>
              <dd className={styles.periods}>
                {intervals.map(({ from_ms: begin_ms, to_ms: end_ms }) => (
                  <span key={begin_ms}>
                    <Time ms={begin_ms} /> –{' '}
                    {end_ms === -1 ? texts.access.still : <Time ms={end_ms} />}
                  </span>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}

function byType(intervals: readonly HeldInterval[]): Map<string, HeldInterval[]> {
  const found = new Map<string, HeldInterval[]>();
  for (const interval of intervals) {
    const { permission_type } = interval;
    found.set(permission_type, [...(found.get(permission_type) ?? []), interval]);
  }
  return found;
}

interface BarProps {
  readonly interval: HeldInterval;
  /** Percent of the width at a time. */
  readonly place: (ms: number) => number;
  readonly end_ms: number;
}

function Bar({ interval, place, end_ms }: BarProps) {
  const { goTo, error } = usePoint();
  const { zone } = useZone();
  const { permission_type, from_ms, to_ms } = interval;
  const from = place(from_ms);
  const width = Math.max(0.4, place(to_ms === -1 ? end_ms : to_ms) - from);
  const until = to_ms === -1 ? texts.access.still : timeText(to_ms, zone);
  const label = texts.access.interval(permission_type, timeText(from_ms, zone), until);
  return (
    <button
      type="button"
      className={styles.bar}
      aria-label={label}
      title={label}
      // It leads to the past, to a time: many intervals begin without an event.
      disabled={error !== null}
      onClick={() => goTo(timePoint(from_ms))}
      ref={(element) => {
        element?.style.setProperty('left', `${from}%`);
        element?.style.setProperty('width', `${width}%`);
      }}
    />
  );
}
