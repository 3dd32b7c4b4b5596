import { useZone } from './zone-context.js';
import { shownTime, timeText, utcText } from './zone.js';

interface TimeProps {
  /** Since epoch. */
  readonly ms: number;
}

/** A time in the viewer's zone; in UTC when pointed at. */
export function Time({ ms }: TimeProps) {
  const { zone } = useZone();
  return (
    <time dateTime={new Date(shownTime(ms)).toISOString()} title={utcText(ms)}>
      {timeText(ms, zone)}
    </time>
  );
}
