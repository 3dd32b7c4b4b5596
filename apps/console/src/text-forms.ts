/** Of dates and numbers. */
export const LOCALE = 'en-GB';

export const numberText = (count: number): string => count.toLocaleString(LOCALE);

/** Such as `31 of 80 events`, or `80 events` if all are shown. */
export const totalText =
  (one: string, many: string) =>
  (total: number, shown = total): string =>
    total === shown
      ? `${numberText(total)} ${total === 1 ? one : many}`
      : `${numberText(shown)} of ${numberText(total)} ${many}`;

/** Such as `84 ms` or `1.5 s`. */
export function durationText(ms: number): string {
  if (ms < 1) return 'less than 1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toLocaleString(LOCALE, { maximumFractionDigits: 1 })} s`;
}
