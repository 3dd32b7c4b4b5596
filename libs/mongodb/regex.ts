/** A regular expression, as MongoDB takes it, that matches the text and nothing else. */
export function matching(text: string): string {
  // No expression may hold the character NUL itself.
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('\0', String.raw`\x00`);
}
