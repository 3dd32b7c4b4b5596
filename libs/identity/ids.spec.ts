import { newId, newRedeemCode } from './principal.js';

const UUID_V4 = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

describe('ids', () => {
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
