import { visibleText } from '../visible-text.js';

/** A name or another text from users: its direction stays its own, and direction controls in it are visible. */
export function UserText({ text }: { readonly text: string }) {
  return <bdi>{visibleText(text)}</bdi>;
}
