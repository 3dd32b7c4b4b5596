import type { FastifyRequest } from 'fastify';
import type { OwnContent } from '../../../libs/domain/directory/items/asset.js';
import { contentHeaders, isUnchanged } from './download-headers.js';

const SECOND = Date.UTC(2026, 1, 3, 4, 5, 6);

const stored = (modified_ms: number) =>
  ({ sha256: 'ab', media_type: 'text/plain', file_name: 'a.txt', modified_ms }) as OwnContent;
const modified = (modified_ms: number) =>
  contentHeaders(stored(modified_ms), false)['last-modified'];
const isKnownSince = (date: string, modified_ms: number) =>
  isUnchanged(
    { headers: { 'if-modified-since': date } } as unknown as FastifyRequest,
    stored(modified_ms),
  );
const dateOf = (at_ms: number) => new Date(at_ms).toUTCString();

describe('Last-Modified of a content', () => {
  it.each([
    [0, 1000],
    [999, 1000],
    [1000, 2000],
  ])('%i ms after a second is the next whole second', (after_ms, next_ms) => {
    expect(modified(SECOND + after_ms)).toBe(dateOf(SECOND + next_ms));
  });

  it('is no time that is still to come', () => {
    const now = Date.now();
    expect(Date.parse(modified(now)!)).toBeLessThanOrEqual(Date.now());
  });
});

describe('If-Modified-Since', () => {
  it('tells that a client has the content from the next second on', () => {
    expect(isKnownSince(dateOf(SECOND + 1000), SECOND + 999)).toBe(true);
    expect(isKnownSince(dateOf(SECOND + 1000), SECOND)).toBe(true);
    expect(isKnownSince(dateOf(SECOND + 9000), SECOND)).toBe(true);
  });

  it('does not tell contents of one second apart', () => {
    expect(isKnownSince(dateOf(SECOND), SECOND)).toBe(false);
    expect(isKnownSince(dateOf(SECOND), SECOND + 999)).toBe(false);
    expect(isKnownSince('no date', SECOND)).toBe(false);
  });
});
