import type { StoredEvent } from '../../event-store/port.js';
import { KEY_LIFE_MS, MOST_KEYS, RecentKeys } from './recent-keys.js';

const T = 1_700_000_000_000;

function metadata(key: string | null, body = 'body'): string {
  const idempotency = key === null ? null : { body, key };
  return JSON.stringify({ actor: {}, command: 'Note', idempotency, reason: null });
}

describe('recent idempotency keys', () => {
  let keys: RecentKeys;
  beforeEach(() => (keys = new RecentKeys()));
  const note = (revision: number, key: string | null, timestamp_ms = T) =>
    keys.note({ revision, timestamp_ms, metadata: metadata(key) });
  const find = (key: string, now = T) => keys.find([key], now);

  it('are found with the events that came with them', () => {
    note(1, 'a');
    note(2, null);
    note(3, 'b');
    note(4, 'b');
    expect(find('a')).toMatchObject({ first: 1, last: 1, body: 'body', timestamp_ms: T });
    expect(find('b')).toMatchObject({ first: 3, last: 4 });
    expect(find('c')).toBeNull();
    expect(keys.find(['c', 'a'], T)).toMatchObject({ first: 1 });
  });

  it('are taken from events that go on from what was seen, and from no others', () => {
    const event = (revision: number, key: string): StoredEvent =>
      ({
        revision,
        timestamp_ms: T,
        metadata: metadata(key),
      }) as Partial<StoredEvent> as StoredEvent;
    const events = [event(1, 'a'), event(2, 'b'), event(3, 'c')];
    expect(keys.noteNext(events)).toEqual([]);
    expect(keys.noteNext([])).toEqual([]);
    note(0, null);
    note(1, 'a');
    expect(keys.noteNext(events)).toEqual(events.slice(1));
    expect([keys.seen, find('b'), find('c')]).toMatchObject([3, { first: 2 }, { first: 3 }]);
    expect(keys.noteNext(events)).toEqual([]);
    expect(keys.size).toBe(3);
  });

  it('are not mistaken in the words of a reason', () => {
    const reason = '"idempotency":null and "idempotency":{"body":"b","key":"x"}';
    const idempotency = { body: 'body', key: 'a' };
    keys.note({ revision: 1, timestamp_ms: T, metadata: JSON.stringify({ idempotency, reason }) });
    keys.note({
      revision: 2,
      timestamp_ms: T,
      metadata: JSON.stringify({ idempotency: null, reason }),
    });
    expect(find('a')).toMatchObject({ first: 1, last: 1 });
    expect(keys.size).toBe(1);
  });

  it('count for 24 hours less one millisecond after their events', () => {
    note(1, 'a');
    expect(find('a', T + KEY_LIFE_MS - 1)).not.toBeNull();
    expect(find('a', T + KEY_LIFE_MS)).toBeNull();
  });

  it('begin anew when used again later', () => {
    note(1, 'a');
    note(2, 'a', T + KEY_LIFE_MS);
    expect(find('a', T + KEY_LIFE_MS)).toMatchObject({ first: 2, last: 2 });
  });

  it('are as they were when a batch is undone', () => {
    note(1, 'a');
    note(2, 'b', T + KEY_LIFE_MS - 1);
    note(3, 'a', T + KEY_LIFE_MS);
    note(4, 'c', T + KEY_LIFE_MS);
    keys.undoTo(2);
    expect(find('c', T + KEY_LIFE_MS)).toBeNull();
    expect(find('b', T + KEY_LIFE_MS)).toMatchObject({ first: 2 });
    keys.undoTo(1);
    expect(keys.find(['b'], T)).toBeNull();
  });

  it('are at most 100,000, the newest', () => {
    for (let at = 0; at <= MOST_KEYS; at++) note(at, `key-${at}`);
    expect(find('key-0')).toBeNull();
    expect(find('key-1')).not.toBeNull();
    keys.undoTo(MOST_KEYS - 1);
    expect(find('key-0')).not.toBeNull();
    for (let at = MOST_KEYS; at < 2.5 * MOST_KEYS; at++) note(at, `key-${at}`);
    expect(keys.size).toBeLessThan(1.3 * MOST_KEYS);
    const thawed = new RecentKeys();
    for (const _ of thawed.filling(keys.toJSON(), 0));
    expect(thawed.find([`key-${1.5 * MOST_KEYS - 1}`], T)).toBeNull();
    expect(thawed.find([`key-${1.5 * MOST_KEYS}`], T)).toMatchObject({ first: 1.5 * MOST_KEYS });
  });
});
