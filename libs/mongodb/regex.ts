/** A MongoDB regular expression that matches exactly the text. */
export function matching(text: string): string {
  // An expression must not contain the character NUL itself.
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('\0', String.raw`\x00`);
}
