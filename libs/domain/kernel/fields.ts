/** The members of `source` named in `keys` that are given (not undefined). */
export function given<T extends object, K extends keyof T>(
  source: T,
  keys: readonly K[],
): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const key of keys) if (source[key] !== undefined) picked[key] = source[key];
  return picked;
}

/** True if no member is given. */
export function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

/** `addition` on a line of its own in front of `text`, cut to `limit` UTF-16 code units. */
export function prepend(addition: string, text: string, limit: number): string {
  return (text ? `${addition}\n${text}` : addition).slice(0, limit);
}

/** Compares two digests (or other texts of fixed length) in time that does not tell where they differ. */
export function equalDigests(a: string, b: string): boolean {
  if (a.length !== b.length || a.length === 0) return false;
  let difference = 0;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

/** What stands in a secret's place in answers about the past and in repeated ones. */
export const MASKED = '***';

/** The body of the first of the events with that type. */
export function bodyOf<E extends { type: string; data: unknown }, Type extends E['type']>(
  events: readonly E[],
  type: Type,
): Extract<E, { type: Type }>['data'] | undefined {
  return events.find((event): event is Extract<E, { type: Type }> => event.type === type)?.data;
}
