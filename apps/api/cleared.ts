/** Converts null, which clears a text, to the empty string for fields that are never null in the record. */
export function cleared<T extends object, K extends keyof T>(
  body: T,
  ...names: readonly K[]
): Omit<T, K> & { [N in K]: Exclude<T[N], null> } {
  const result = { ...body } as Record<PropertyKey, unknown>;
  for (const name of names) if (result[name] === null) result[name] = '';
  return result as Omit<T, K> & { [N in K]: Exclude<T[N], null> };
}
