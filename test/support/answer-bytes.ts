import type { Answer } from './client.js';

/** Texts that may be base64 of something, such as cursors. */
const ENCODED = /[\w+/-]{12,}={0,2}/g;
/** A cursor in a cursor is as deep as anybody would go. */
const MOST_LAYERS = 3;

/**
 * Every byte that an answer gives its caller, and what can be read out of them: the body, the names and
 * values of all headers, and both with each text that may be base64 decoded.
 */
export function bytesOf({ status, headers, body }: Answer): Buffer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const head = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const layers = [`${status}\n${head}\n${text}`];
  for (let at = 0; at < MOST_LAYERS && layers[at]; at++) layers.push(decoded(layers[at]!));
  return Buffer.from(layers.join('\n'));
}

function decoded(text: string): string {
  const found = text.match(ENCODED) ?? [];
  return found.map((encoded) => Buffer.from(encoded, 'base64').toString('latin1')).join('\n');
}
