/** Characters that change the direction of the text around them, and are themselves invisible. */
const DIRECTION_CONTROLS = /\p{Bidi_Control}/gu;

/**
 * A text from users with its direction controls made visible, such as `⟨U+202E⟩`. Otherwise a name could reorder the
 * sentence or the hash beside it.
 */
export function visibleText(text: string): string {
  return text.replaceAll(DIRECTION_CONTROLS, (control) => {
    const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}
