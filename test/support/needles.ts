/**
 * Lists and searches look through ids, too. A short text of letters and digits stands in a random id
 * now and then, and the spec that looks for it fails by chance. (`PUBLIC` is an id itself.)
 */
const MAY_BE_IN_AN_ID = /^(?!public$)[a-z0-9_-]{1,7}$/i;
/** Those of labels look at values only. */
const LISTS_AND_SEARCH = /(?<!\/labels)\/(?:list|search)(?:\?|$)/;

/** @throws Error where an answer of 200 to this request may hang on what ids hold by chance */
export function checkNeedle(path: string, body: string | undefined): void {
  if (body === undefined || !LISTS_AND_SEARCH.test(path)) return;
  for (const needle of needlesOf(body))
    if (MAY_BE_IN_AN_ID.test(needle))
      throw new Error(
        `'${needle}' may stand in a random id by chance: look for 8 or more characters, or one that no id has (a space, '~')`,
      );
}

function needlesOf(body: string): string[] {
  try {
    const { filters, query } = JSON.parse(body) as { filters?: unknown; query?: unknown };
    return [filters, query].filter((needle) => typeof needle === 'string');
  } catch {
    return [];
  }
}
