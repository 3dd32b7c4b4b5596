import { useZone } from './zone-context.js';
import { dateText, shownTime, timeText, utcText } from './zone.js';

interface TimeProps {
  /** Since epoch. */
  readonly ms: number;
  readonly date_only?: boolean;
}

/** A time in the viewer's zone; in UTC when pointed at. */
export function Time({ ms, date_only = false }: TimeProps) {
  const { zone } = useZone();
  const text = date_only ? dateText(ms, zone) : timeText(ms, zone);
  return (
    <time dateTime={new Date(shownTime(ms)).toISOString()} title={utcText(ms)}>
      {text}
    </time>
  );
}
