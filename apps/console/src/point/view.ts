/**
 * What the page shows is in its address, so that links can be shared: the point, the person whose view it is, and
 * filters. Never a key.
 */

/** Parameters that stay when the page changes. */
const SHARED = ['at', 'as', 'from', 'to', 'person', 'family', 'kind'] as const;

/** Parameters with the cursors of lists, each list's own. */
const CURSORS = ['up', 'down', 'access_up', 'access_down', 'webhooks_up', 'webhooks_down'] as const;

/** Changes that lead every list of the page to its first page. */
export const FIRST_PAGE: ViewChanges = Object.fromEntries(CURSORS.map((name) => [name, null]));

/** Parameters that lists do not depend on, or not all of them: their cursors stay valid. */
const LEAVES_PAGES: ReadonlySet<string> = new Set([...CURSORS, 'from', 'to', 'of', 'record']);

/** Changes of parameters; null removes one. */
export type ViewChanges = Readonly<Record<string, string | null>>;

/** A time whose `+` before the zone was not escaped: in a query it means a space. */
const TIME_WITH_SPACE = /^(\d{4}-\d\d-\d\dT[\d:.]+) (\d\d:\d\d)$/;

/**
 * The point of an address: `r123`, an RFC 3339 time, `@bookmark` (as the API takes it in `as_of`), or null for now.
 * Another text is returned as it is: the page says that it is no point, and must not show the current state instead.
 * @param name the parameter that holds the point
 */
export function pointOf(params: URLSearchParams, name = 'at'): string | null {
  const text = params.get(name)?.replace(TIME_WITH_SPACE, '$1+$2') ?? '';
  return text === '' ? null : text;
}

/** True for a text that the API takes as a point. */
export function isPoint(text: string): boolean {
  return /^r\d{1,15}$/.test(text) || /^@[a-z0-9-]{1,64}$/.test(text) || isTime(text);
}

/** The revision of a point that is one, else null. */
export function revisionOf(at: string | null): number | null {
  return at !== null && /^r\d+$/.test(at) ? Number(at.slice(1)) : null;
}

/** The time of a point that is one, else null. */
export function timeOf(at: string): number | null {
  return isTime(at) ? Date.parse(at) : null;
}

/** The text of a point in time. @param ms since epoch */
export function timePoint(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** The query string of an address after changes. A cursor belongs to one point, person and filter, and goes with them. */
export function changed(params: URLSearchParams, changes: ViewChanges): string {
  const next = new URLSearchParams(params);
  const is_other_list = Object.entries(changes).some(
    ([name, value]) => !LEAVES_PAGES.has(name) && (params.get(name) ?? '') !== (value ?? ''),
  );
  if (is_other_list) for (const name of CURSORS) next.delete(name);
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  return queryOf(next);
}

/** The query string for another page: shared parameters stay, the page's own go. */
export function shared(params: URLSearchParams, changes: ViewChanges = {}): string {
  const kept = new URLSearchParams();
  for (const name of SHARED) {
    const value = params.get(name);
    if (value) kept.set(name, value);
  }
  return changed(kept, changes);
}

/** Colons, commas and `@` stay readable: they need no escapes in a query. */
function queryOf(params: URLSearchParams): string {
  const text = params.toString();
  return text && `?${text.replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%40', '@')}`;
}

/** An RFC 3339 time; without `Z` or an offset, it would be another moment for each viewer. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

function isTime(text: string): boolean {
  return TIME.test(text) && !Number.isNaN(Date.parse(text));
}
