import { ANY_TEXT, Either, Unordered, UploadForm } from './decision.js';

/** How an answer differs from what the model expects; null if it does not. Members that only the answer has are ignored. */
export function difference(expected: unknown, actual: any, at = ''): string | null {
  if (expected === ANY_TEXT) return typeof actual === 'string' ? null : `${at}: no text`;
  if (expected instanceof UploadForm)
    return Boolean(actual?.url) === expected.has_url ? null : `${at}: url ${actual?.url}`;
  if (expected instanceof Unordered) return ofSets(expected.values, actual, at);
  if (expected instanceof Either) {
    const found = expected.values.map((each) => difference(each, actual, at));
    return found.includes(null) ? null : found.join(' or ');
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length)
      return `${at}: expected ${JSON.stringify(expected)}, was ${JSON.stringify(actual)}`;
    return first(
      expected.map((each, index) => () => difference(each, actual[index], `${at}/${index}`)),
    );
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null)
      return `${at}: was ${JSON.stringify(actual)}`;
    const entries = Object.entries(expected);
    return first(
      entries.map(
        ([key, each]) =>
          () =>
            difference(each, actual[key], `${at}/${key}`),
      ),
    );
  }
  // The model does not know this id yet.
  if (typeof expected === 'string' && expected === '?') return null;
  if (expected === actual) return null;
  return `${at}: expected ${JSON.stringify(expected)}, was ${JSON.stringify(actual)}`;
}

function ofSets(expected: readonly unknown[], actual: any, at: string): string | null {
  const known = expected.filter((each) => each !== '?');
  const is_same =
    Array.isArray(actual) &&
    actual.length === expected.length &&
    new Set(actual).size === actual.length &&
    known.every((each) => actual.includes(each));
  if (is_same) return null;
  return `${at}: expected in any order ${JSON.stringify(expected)}, was ${JSON.stringify(actual)}`;
}

function first(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const found = check();
    if (found) return found;
  }
  return null;
}
