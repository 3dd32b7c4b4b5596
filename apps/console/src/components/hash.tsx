import { visibleText } from '../visible-text.js';
import styles from './hash.module.css';

/** Digits at each end: enough to compare by eye. */
const SHOWN = 8;
const HASHES = /\b([0-9a-f]{64})\b/;

/** True for a SHA-256 in hex. */
export function isHash(text: string): boolean {
  return text.length === 64 && HASHES.test(text);
}

/** A hash without its middle; pointing at it shows all of it, and copying takes all of it. */
export function Hash({ hex }: { readonly hex: string }) {
  return (
    <span className={styles.hash} title={hex}>
      {hex.slice(0, SHOWN)}
      <span className={styles.middle}>{hex.slice(SHOWN, -SHOWN)}</span>
      <span className={styles.dots} aria-hidden="true">
        …
      </span>
      {hex.slice(-SHOWN)}
    </span>
  );
}

/** A sentence whose hashes are shortened and whose direction controls are visible. */
export function TextWithHashes({ text }: { readonly text: string }) {
  // Every second part is a hash.
  return visibleText(text)
    .split(HASHES)
    .map((part, at) => (at % 2 === 1 ? <Hash key={at} hex={part} /> : part));
}
