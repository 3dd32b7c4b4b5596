import { ChangedIds } from './changed-ids.js';

describe('the ids that changed last', () => {
  const made = (changes: number, records: number): ChangedIds => {
    const ids = new ChangedIds();
    for (let nth = 0; nth < changes; nth++) ids.note(`${nth % 5_000}`, records);
    return ids;
  };

  it('are those between two changes, each once', () => {
    const ids = made(12_000, 0);
    expect(ids.between(12_000, 12_000)).toEqual(new Set());
    expect(ids.between(4_998, 5_001)).toEqual(new Set(['4998', '4999', '0']));
    expect(ids.between(0, 12_000)!.size).toBe(5_000);
  });

  it.each([
    [100, 8_192],
    [100_000, 25_000],
  ])('are at least a quarter of %d records, and not many more', (records, remembered) => {
    const changes = 200_000;
    for (const more of [0, 1_000, remembered - 1, remembered, remembered + 1]) {
      const ids = made(changes + more, records);
      const last = changes + more;
      expect(ids.between(last - remembered, last)).not.toBeNull();
      expect(ids.between(last - 2 * remembered - 1, last)).toBeNull();
    }
  });
});
