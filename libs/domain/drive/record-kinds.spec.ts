import { GIFTCARD_ID } from '../giftcards/record.js';
import { PREFIX } from '../kernel/ids.js';
import { RECORD_KINDS, RECORDS } from './record-kinds.js';

describe('the prefixes of ids', () => {
  it('gives every kind its own prefix, ending in ID_', () => {
    const prefixes = new Set([
      ...Object.values(PREFIX),
      ...RECORD_KINDS.by_prefix.keys(),
      GIFTCARD_ID,
    ]);
    expect(prefixes.size).toBe(21);
    for (const prefix of prefixes) expect(prefix).toMatch(/^[A-Z][A-Za-z]+ID_$/);
    const of_records = RECORDS.flatMap(({ definition }) => definition.prefix ?? []);
    expect(new Set(of_records).size).toBe(of_records.length);
  });
});
