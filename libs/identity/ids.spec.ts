import { ID_PREFIXES, isId, MAX_OPAQUE_LENGTH, newId, newRedeemCode } from './ids.js';

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
      expect(isId(id, 'DiskID_')).toBe(true);
    }
  });

  it('makes redeem codes of the same form', () => {
    expect(newRedeemCode()).toMatch(new RegExp(`^RedeemTokenID_${UUID_V4}$`));
    expect(newRedeemCode()).not.toBe(newRedeemCode());
  });

  it.each(['x', 'a-b_C9', 'z'.repeat(MAX_OPAQUE_LENGTH)])('accepts the opaque part %s', (part) => {
    expect(isId(`FileID_${part}`, 'FileID_')).toBe(true);
  });

  it.each([
    ['an empty opaque part', 'FileID_'],
    ['one character too many', `FileID_${'z'.repeat(MAX_OPAQUE_LENGTH + 1)}`],
    ['another prefix', 'FolderID_a'],
    ['a prefix in other case', 'fileID_a'],
    ['something before the prefix', ' FileID_a'],
    ['a space', 'FileID_a b'],
    ['a final line feed', 'FileID_a\n'],
    ['a dot', 'FileID_a.b'],
    ['a slash', 'FileID_a/b'],
    ['a letter outside ASCII', 'FileID_é'],
    ['nothing at all', ''],
  ])('refuses %s', (_, text) => {
    expect(isId(text, 'FileID_')).toBe(false);
  });

  it('does not take a longer prefix for a shorter one', () => {
    expect(isId('FileVersionID_a', 'FileID_')).toBe(false);
    expect(isId('GroupInviteID_a', 'GroupID_')).toBe(false);
  });
});
