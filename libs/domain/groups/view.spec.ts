import { event } from '../foundation/events.js';
import { contacted, granted, grouped, invited } from './testing/events.js';
import { EVERYONE, OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { groupReads, type GroupView, presentGroup } from './reads.js';

const GROUP = 'GroupID_finance';
const OWN_INVITE = `GroupInviteID_${GROUP}`;
const ADMIN_INVITE = { role: 'ADMIN' } as const;

/** A group of Gwen with a private note, and one holder of each permission on it. */
function finance(): SpecDrive {
  return new SpecDrive().given(
    grouped(GROUP, 'UserID_gwen'),
    event('GroupUpdated', { group_id: GROUP, private_note: 'secret' }),
    invited('GroupInviteID_admin', GROUP, 'UserID_admin', ADMIN_INVITE),
    invited('GroupInviteID_member', GROUP, 'UserID_member'),
    invited('GroupInviteID_past', GROUP, 'UserID_past', { expires_at: T0 + 1 }),
    invited('GroupInviteID_future', GROUP, 'UserID_future', { active_from: T0 + 1_000_000 }),
    granted('SystemPermissionID_v', 'UserID_view', GROUP, 'VIEW'),
    granted('SystemPermissionID_e', 'UserID_edit', GROUP, 'EDIT'),
    granted('SystemPermissionID_t', 'UserID_table', 'TABLE_GROUPS', 'VIEW'),
  );
}

function seenBy(drive: SpecDrive, who: string): GroupView {
  return presentGroup(drive.context(who), drive.state.groups.get(GROUP)!);
}

describe('reading a group', () => {
  const people = [OWNER, 'gwen', 'admin', 'member', 'past', 'future', 'view', 'edit', 'table'].map(
    (name) => (name === OWNER ? OWNER : `UserID_${name}`),
  );

  it('is allowed to owner, current members, and holders of VIEW', () => {
    const drive = finance();
    const group = drive.state.groups.get(GROUP)!;
    expect(people.filter((who) => groupReads.mayRead(drive.context(who), group))).toEqual([
      OWNER,
      'UserID_gwen',
      'UserID_admin',
      'UserID_member',
      'UserID_view',
      'UserID_table',
    ]);
  });

  it('shows the readable groups in lists', () => {
    const drive = finance();
    const visible = (who: string) => groupReads.visible(drive.context(who));
    expect(visible('UserID_table')).toBe('all');
    expect(visible('UserID_member')).toEqual([{ field: 'id', among: new Set([GROUP]) }]);
    expect(visible('UserID_view')).toEqual([{ field: 'id', among: new Set([GROUP]) }]);
    expect(visible('UserID_past')).toEqual([{ field: 'id', among: new Set() }]);
  });
});

describe('a group', () => {
  it('shows active invites only, admins first, then by age', () => {
    const late = invited('GroupInviteID_late', GROUP, 'UserID_late', ADMIN_INVITE);
    const view = seenBy(finance().given(late), OWNER);
    expect(view.member_invites).toEqual([
      OWN_INVITE,
      'GroupInviteID_admin',
      'GroupInviteID_late',
      'GroupInviteID_member',
    ]);
    expect(view.admin_invites).toEqual([OWN_INVITE, 'GroupInviteID_admin', 'GroupInviteID_late']);
    expect(view.member_previews.map(({ invite_id }) => invite_id)).toEqual(view.member_invites);
    expect([view.member_count, view.admin_count]).toEqual([4, 3]);
  });

  it('shows 100 invites of each kind by itself and 20 in lists, and counts all', () => {
    const drive = finance();
    for (let nth = 100; nth < 205; nth++)
      drive.given(invited(`GroupInviteID_admin_${nth}`, GROUP, `UserID_${nth}`, ADMIN_INVITE));
    const shown = ({ admin_invites, member_invites, member_previews }: GroupView) =>
      [admin_invites, member_invites, member_previews].map(({ length }) => length);
    const group = drive.state.groups.get(GROUP)!;
    const single = groupReads.present(drive.context(OWNER), group);
    const listed = groupReads.presentInList!(drive.context(OWNER), group);
    expect([shown(single), shown(listed)]).toEqual([
      [100, 100, 100],
      [20, 20, 20],
    ]);
    expect(listed).toEqual({
      ...single,
      admin_invites: single.admin_invites.slice(0, 20),
      member_invites: single.member_invites.slice(0, 20),
      member_previews: single.member_previews.slice(0, 20),
    });
    expect([listed.member_count, listed.admin_count]).toEqual([108, 107]);
  });

  it('orders invites of one moment by id', () => {
    const drive = finance();
    const same = drive.now;
    drive.given(invited('GroupInviteID_z', GROUP, 'UserID_z'));
    drive.now = same;
    drive.given(invited('GroupInviteID_a', GROUP, 'UserID_a'));
    expect(seenBy(drive, OWNER).member_invites.slice(-2)).toEqual([
      'GroupInviteID_a',
      'GroupInviteID_z',
    ]);
  });

  it('names contacts, strangers, placeholders and everyone', () => {
    const drive = new SpecDrive().given(
      contacted('UserID_bob', { name: 'Bob', avatar: 'http://b.example' }),
      contacted('UserID_nameless'),
      grouped(GROUP),
      invited('GroupInviteID_1', GROUP, 'UserID_bob', { note: 'hi' }),
      invited('GroupInviteID_2', GROUP, 'UserID_nameless'),
      invited('GroupInviteID_3', GROUP, 'UserID_stranger'),
      invited('GroupInviteID_4', GROUP, 'PlaceholderGroupInviteeID_1'),
      invited('GroupInviteID_5', GROUP, 'PUBLIC'),
    );
    const [, bob, ...others] = seenBy(drive, OWNER).member_previews;
    expect(bob).toEqual({
      user_id: 'UserID_bob',
      name: 'Bob',
      note: 'hi',
      avatar: 'http://b.example',
      group_id: GROUP,
      is_admin: false,
      invite_id: 'GroupInviteID_1',
      last_online_ms: 0,
    });
    expect(others.map(({ name, avatar }) => [name, avatar])).toEqual([
      ['UserID_nameless', null],
      ['Unknown User (UserID_stranger)', null],
      ['Awaiting Anon', null],
      ['Public', null],
    ]);
  });

  it('shows at most 100 invites and counts them all', () => {
    const drive = finance();
    for (let at = 0; at < 100; at++)
      drive.given(invited(`GroupInviteID_${at}`, GROUP, `UserID_${at}`, ADMIN_INVITE));
    const view = seenBy(drive, OWNER);
    expect(
      [view.admin_invites, view.member_invites, view.member_previews].map((l) => l.length),
    ).toEqual([100, 100, 100]);
    expect([view.member_count, view.admin_count]).toEqual([103, 102]);
  });

  it('shows its private note to owner, group admins and holders of EDIT', () => {
    const drive = finance();
    const note = (who: string) => seenBy(drive, who).private_note;
    for (const who of [OWNER, 'UserID_gwen', 'UserID_admin', 'UserID_edit'])
      expect(note(who)).toBe('secret');
    for (const who of ['UserID_member', 'UserID_view']) expect(note(who)).toBe('');
  });

  it('previews the caller’s permissions; all five for group admins', () => {
    const drive = finance();
    const previews = (who: string) => seenBy(drive, who).permission_previews;
    const all = ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'];
    for (const who of [OWNER, 'UserID_gwen', 'UserID_admin']) expect(previews(who)).toEqual(all);
    expect(previews('UserID_edit')).toEqual(['EDIT']);
    expect(previews('UserID_member')).toEqual([]);
  });

  it('belongs to this drive', () => {
    expect(seenBy(finance(), OWNER)).toMatchObject({ drive_id: 'DriveID_spec', labels: [] });
  });
});

it('Group for All lists its members like any group', () => {
  const drive = new SpecDrive();
  const view = presentGroup(drive.context(OWNER), drive.state.groups.get(EVERYONE)!);
  expect(view).toMatchObject({ name: 'Group for All', member_count: 1 });
});
