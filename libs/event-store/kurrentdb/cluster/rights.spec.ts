import { describe, expect, it } from '@jest/globals';
import { groupsWithMore, rightsFor } from './grant.js';

const GRANTED = {
  $r: ['$admins', 'drive'],
  $w: ['$admins', 'drive'],
  $mr: ['$admins', 'drive'],
  $d: ['$admins'],
  $mw: ['$admins'],
};
const SETTINGS = { $userStreamAcl: GRANTED };
const ALL = { $acl: { $r: ['$admins', 'drive'] } };

describe('the rights of the service', () => {
  it('are exactly the needed ones where nothing is set', () => {
    const planned = rightsFor('drive', { settings: {}, all: {} });
    expect([planned.settings, planned.all]).toEqual([SETTINGS, ALL]);
    expect(planned.changes).toHaveLength(6);
    for (const { before } of planned.changes) expect(before).toBeNull();
  });

  it('are not written twice', () => {
    const planned = rightsFor('drive', { settings: SETTINGS, all: ALL });
    expect(planned).toEqual({ changes: [], settings: null, all: null });
  });

  it('are added to what others have set', () => {
    const settings = {
      $userStreamAcl: { $r: 'reports', $w: ['$all'], $mr: '$all', $d: 'cleaner', $mw: ['cleaner'] },
      $systemStreamAcl: { $r: ['$admins', 'auditor'], $w: '$admins' },
      other: 1,
    };
    const all = { $acl: { $w: '$admins' }, note: 'kept' };
    const planned = rightsFor('drive', { settings, all });
    expect(planned.settings).toEqual({
      ...settings,
      $userStreamAcl: { ...settings.$userStreamAcl, $r: ['reports', 'drive'] },
    });
    expect(planned.all).toEqual({
      $acl: { $w: '$admins', $r: ['$admins', 'auditor', 'drive'] },
      note: 'kept',
    });
    expect(planned.changes).toEqual([
      { of: 'user streams', right: 'read', before: ['reports'], after: ['reports', 'drive'] },
      { of: '$all', right: 'read', before: null, after: ['$admins', 'auditor', 'drive'] },
    ]);
  });

  it.each([
    ['everybody', '$all', ['$admins']],
    ['the user', ['drive', 'cleaner'], ['$admins', 'cleaner']],
  ])('to delete and to change metadata are taken from %s', (_, set, after) => {
    const settings = { $userStreamAcl: { ...GRANTED, $d: set, $mw: set } };
    const before = typeof set === 'string' ? [set] : set;
    expect(rightsFor('drive', { settings, all: ALL })).toEqual({
      changes: [
        { of: 'user streams', right: 'delete', before, after },
        { of: 'user streams', right: 'write metadata', before, after },
      ],
      settings: { $userStreamAcl: { ...GRANTED, $d: after, $mw: after } },
      all: null,
    });
  });

  it('are more by a group that has more', () => {
    const settings = { $userStreamAcl: { ...GRANTED, $mw: ['editors'] } };
    expect(groupsWithMore(['readers', 'editors', '$admins'], settings)).toEqual([
      'editors',
      '$admins',
    ]);
  });
});
