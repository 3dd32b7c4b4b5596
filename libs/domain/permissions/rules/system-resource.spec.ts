import { RECORD_KINDS } from '../../drive/record-kinds.js';
import { parseSystemResource } from './system-resource.js';

describe('parseSystemResource', () => {
  it.each([
    ['TABLE_DISKS', 'TABLE_DISKS'],
    ['DISKS', 'TABLE_DISKS'],
    ['API_KEYS', 'TABLE_API_KEYS'],
    ['AUDIT', 'TABLE_AUDIT'],
    ['TAGS', 'TABLE_LABELS'],
    ['TABLE_TAGS', 'TABLE_LABELS'],
    ['DiskID_1', 'DiskID_1'],
    ['UserID_not-yet-here', 'UserID_not-yet-here'],
    ['RECORD_DiskID_1', 'DiskID_1'],
    ['GroupInviteID_1', 'GroupInviteID_1'],
    ['SystemPermissionID_1', 'SystemPermissionID_1'],
    [`DiskID_${'x'.repeat(128)}`, `DiskID_${'x'.repeat(128)}`],
    [{ type: 'Table', value: 'DISKS' }, 'TABLE_DISKS'],
    [{ type: 'Table', value: 'TABLE_DISKS' }, 'TABLE_DISKS'],
    [{ type: 'Record', value: 'DiskID_1' }, 'DiskID_1'],
    [{ Table: 'TAGS' }, 'TABLE_LABELS'],
    [{ Record: 'DiskID_1' }, 'DiskID_1'],
  ])('reads %j as %s', (input, stored) => {
    expect(parseSystemResource(RECORD_KINDS, input)).toBe(stored);
  });

  it.each([
    '',
    'TABLE_',
    'TABLE_COOKIES',
    'COOKIES',
    'disks',
    'TABLE_TABLE_DISKS',
    'FolderID_1',
    'FileID_1',
    'RECORD_FolderID_1',
    'RECORD_DISKS',
    'RedeemTokenID_1',
    'DiskID_',
    'DiskID_a b',
    `DiskID_${'x'.repeat(129)}`,
    'PUBLIC',
    7,
    null,
    undefined,
    [],
    {},
    { type: 'Table' },
    { type: 'Table', value: 'DiskID_1' },
    { type: 'Record', value: 'DISKS' },
    { type: 'Row', value: 'DiskID_1' },
    { Table: 'DISKS', Record: 'DiskID_1' },
    { Record: 'FileID_1' },
  ])('does not read %j', (input) => {
    expect(parseSystemResource(RECORD_KINDS, input)).toBeNull();
  });
});
