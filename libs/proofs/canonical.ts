import { Malformed } from './hashes.js';

/** Canonical JSON (RFC 8785) of a value parsed from JSON. @throws Malformed for what JSON cannot say */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = value as Readonly<Record<string, unknown>>;
    // Sorting compares UTF-16 code units, as the RFC asks.
    const names = Object.keys(members).sort();
    return `{${names.map((name) => `${text(name)}:${canonicalJson(members[name])}`).join()}}`;
  }
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Malformed('not a number');
  if (value === undefined) throw new Malformed('undefined has no form in JSON');
  return JSON.stringify(value);
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new Malformed('a text with a lone surrogate');
  return JSON.stringify(value);
}
