/** The members of `source` in `keys` that are not undefined. */
export function given<T extends object, K extends keyof T>(
  source: T,
  keys: readonly K[],
): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const key of keys) if (source[key] !== undefined) picked[key] = source[key];
  return picked;
}

/** The members of `defaults` with the values of `source`. The default replaces undefined and null. */
export function filled<D extends object>(
  defaults: D,
  source: { readonly [K in keyof D]?: D[K] | null | undefined },
): D {
  const all = { ...defaults };
  for (const key of Object.keys(defaults) as (keyof D)[]) all[key] = source[key] ?? defaults[key];
  return all;
}

/** Fields of an update: absent ones stay, null sets a field to its default. */
export type Changes<D> = { readonly [K in keyof D]?: D[K] | null };

/** The members of `source` in `others` and `defaults` that are not undefined; the default replaces null. */
export function changes<D extends object, S extends Changes<D>, K extends keyof S = never>(
  defaults: D,
  source: S,
  ...others: readonly K[]
): Partial<Pick<S, K>> & Partial<D> {
  const given_fields: Changes<D> = source;
  const changed: Partial<D> = {};
  for (const key of Object.keys(defaults) as (keyof D)[])
    if (given_fields[key] !== undefined) changed[key] = given_fields[key] ?? defaults[key];
  return { ...given(source, others), ...changed };
}

/** True if all members are undefined. */
export function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

/** Truncates a text to at most `most` UTF-16 code units, without splitting a surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const splits_pair = last >= 0xd800 && last < 0xdc00;
  return text.slice(0, splits_pair ? most - 1 : most);
}

/** Prepends `addition` to `text` as a separate line, truncated to `limit` UTF-16 code units. */
export function prepend(addition: string, text: string, limit: number): string {
  return cut(text ? `${addition}\n${text}` : addition, limit);
}

/** Compares two digests (or other texts of fixed length) in constant time. */
export function equalDigests(a: string, b: string): boolean {
  if (a.length !== b.length || a.length === 0) return false;
  let difference = 0;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

/** Replaces secrets in answers about past states and in repeated answers. */
export const MASKED = '***';

export function bodyOf<E extends { type: string; data: unknown }, Type extends E['type']>(
  events: readonly E[],
  type: Type,
): Extract<E, { type: Type }>['data'] | undefined {
  return events.find((event): event is Extract<E, { type: Type }> => event.type === type)?.data;
}
