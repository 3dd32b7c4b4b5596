/** Rules for names: directory.md section 1 ("Names") and section 4 ("Name conflicts"). */

/** The name as it is stored, or null if directory.md section 1 refuses it. */
export function storedName(name: unknown): string | null {
  // directory.md 1: "1–256 characters"; README 4: "Text length: UTF-16 code units".
  if (typeof name !== 'string' || name.length < 1 || name.length > 256) return null;
  // directory.md 1: "no `/`, no `::`, no control characters, not `.`, `..` or `.trash`".
  if (name.includes('/') || name.includes('::') || /\p{Cc}/u.test(name)) return null;
  if (['.', '..', '.trash'].includes(name)) return null;
  // directory.md 1: "a single `:` is stored as `;`".
  return name.replaceAll(':', ';');
}

/** directory.md 2, `extension`: "text after the last dot of the name", null without a dot. */
export function extensionOf(name: string): string | null {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? null : name.slice(dot + 1);
}

/** directory.md 4, KEEP_BOTH: "first free of `name (2).ext`, `name (3).ext`, … (folders without extension part)". */
export function freeName(name: string, kind: Kind, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const dot = kind === 'file' ? name.lastIndexOf('.') : -1;
  const [stem, end] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
  for (let number = 2; ; number++) {
    const suffix = ` (${number})${end}`;
    // No name is longer than 256; that the stem is what gives way is not said.
    const candidate = stem.slice(0, 256 - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}

export type Kind = 'file' | 'folder';
