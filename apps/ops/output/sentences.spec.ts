import type { Source } from '../../../libs/domain/access-questions/because.js';
import type { Names } from './names.js';
import { counted, why } from './sentences.js';

const names = { of: (id: string) => id, path: () => '' } as unknown as Names;

describe('the reason of a permission', () => {
  it('names any end that a client may choose, also one that no calendar has', () => {
    const reason = {
      ...{ via: 'DIRECT', granted_by: 'Bob', invite_id: null, inherited_from: null },
      begin_date_ms: 0,
    } as unknown as Source;
    const until = (expiry_date_ms: number): string => why({ ...reason, expiry_date_ms }, names);
    expect(until(Date.UTC(2026, 0, 1))).toBe('granted by Bob, until 2026-01-01 00:00:00Z');
    expect(until(Number.MAX_SAFE_INTEGER)).toBe('granted by Bob, until +275760-09-13 00:00:00Z');
    expect(until(-1)).toBe('granted by Bob');
  });
});

describe('a count', () => {
  it('is followed by the noun in its number', () => {
    const said = [0, 1, 2].map((count) => counted(count, 'earlier backup'));
    expect(said).toEqual(['0 earlier backups', '1 earlier backup', '2 earlier backups']);
  });
});
