import { ID_PREFIXES, newId, newRedeemCode } from './ids.js';

const UUID_V4 = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

describe('ids', () => {
  it('gives every kind its own prefix, ending in ID_', () => {
    const prefixes = Object.values(ID_PREFIXES);
    expect(prefixes).toHaveLength(24);
    expect(new Set(prefixes).size).toBe(prefixes.length);
    for (const prefix of prefixes) expect(prefix).toMatch(/^[A-Z][A-Za-z]+ID_$/);
  });

  it('makes ids of a prefix and a UUID v4, never the same twice', () => {
    const ids = Array.from({ length: 1000 }, () => newId('DiskID_'));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(id).toMatch(new RegExp(`^DiskID_${UUID_V4}$`));
    }
  });

  it('makes redeem codes of the same form', () => {
    expect(newRedeemCode()).toMatch(new RegExp(`^RedeemTokenID_${UUID_V4}$`));
    expect(newRedeemCode()).not.toBe(newRedeemCode());
  });
});
