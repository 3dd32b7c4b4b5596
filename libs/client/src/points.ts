/** A point of the past: a revision, a time, a bookmark (`@name`) or an RFC 3339 time. */
export type Point = { readonly revision: number } | { readonly at_ms: number } | Date | string;

export function asOfText(point: Point): string {
  if (typeof point === 'string') return point;
  if (point instanceof Date) return String(point.getTime());
  return 'revision' in point ? `r${point.revision}` : String(point.at_ms);
}
