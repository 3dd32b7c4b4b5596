import { event } from '../../libs/domain/foundation/events.js';
import { groupReads } from '../../libs/domain/groups/reads.js';
import { contacted, granted, grouped, invited } from '../../libs/domain/groups/testing/events.js';
import { OWNER, SpecDrive } from '../../libs/domain/testing/drive.js';
import { stateSource } from '../../libs/engine/read-models/source.js';
import type { ReadScope } from '../../libs/application/read-scope.js';
import { JsonText, views } from '../../libs/application/views.js';

const BOB = 'UserID_bob';
const ANN = 'UserID_ann';
const GROUP = 'GroupID_1';
const OTHER = 'GroupID_2';
const LABEL = 'LabelID_1';
const SCOPE = { presence: null } as ReadScope;

const labelled = event('LabelCreated', {
  ...{ label_id: LABEL, value: 'urgent', color: '#ABC', created_by: OWNER },
  ...{ public_note: null, private_note: null, external_id: null, external_payload: null },
});

describe('the text of a group', () => {
  let drive: SpecDrive;
  const start = (): void => {
    drive = new SpecDrive().given(
      ...[contacted(BOB, { name: 'Bob' }), contacted(ANN), grouped(GROUP), grouped(OTHER)],
      ...[invited('GroupInviteID_1', GROUP, BOB), invited('GroupInviteID_2', OTHER, ANN)],
      ...[labelled, event('LabelPinned', { label_id: LABEL, resource_id: GROUP })],
    );
  };
  beforeEach(start);

  const show = (user_id: string): JsonText<unknown> => {
    const context = drive.context(user_id);
    const document = stateSource(drive.state, context.open).document('groups', GROUP)!;
    const shown = views.of(SCOPE, context, groupReads).show(context, document);
    expect(shown.text).toBe(JSON.stringify(groupReads.present(context, document.record as never)));
    return shown;
  };

  it.each([
    ['another group', event('GroupUpdated', { group_id: OTHER, public_note: 'x' })],
    ['a new group', grouped('GroupID_3', ANN)],
    ['a member of another group', invited('GroupInviteID_3', OTHER, ANN)],
  ])('stays when %s changes', (_, change) => {
    const before = [show(OWNER), show(BOB)];
    drive.given(change);
    expect([show(OWNER) === before[0], show(BOB) === before[1]]).toEqual([true, true]);
  });

  it.each([
    ['the group', event('GroupUpdated', { group_id: GROUP, name: 'Sales' })],
    ['a member', invited('GroupInviteID_3', GROUP, ANN)],
    [
      'the name of a member',
      event('ContactUpdated', { contact_id: BOB, subject_key_id: '', name: 'Robert' }),
    ],
    ['its label', event('LabelUpdated', { label_id: LABEL, value: 'later' })],
    ['a grant to the group of its member', granted('SystemPermissionID_1', GROUP, GROUP, 'EDIT')],
    ['a grant on all groups', granted('SystemPermissionID_1', BOB, 'TABLE_GROUPS', 'EDIT')],
  ])('is made anew when %s changes', (what, change) => {
    for (const user of [OWNER, BOB]) {
      const before = show(user);
      drive.given(change);
      const after = show(user);
      expect(after).not.toBe(before);
      // The owner has all permissions.
      const is_seen = user === BOB || !what.startsWith('a grant');
      expect(after.text !== before.text).toBe(is_seen);
      start();
    }
  });

  it('is made anew for a user whose own groups have changed', () => {
    drive.given(granted('SystemPermissionID_1', OTHER, GROUP, 'EDIT'));
    const before = show(BOB);
    drive.given(invited('GroupInviteID_4', OTHER, BOB));
    expect(show(BOB).text).not.toBe(before.text);
  });
});

describe('a page of groups', () => {
  const page = (drive: SpecDrive) => views.page(SCOPE, drive.context(OWNER), groupReads, 'first');

  it.each([
    ['another group changes', event('GroupUpdated', { group_id: OTHER, name: 'x' }), true],
    ['one of its groups changes', event('GroupUpdated', { group_id: GROUP, name: 'x' }), false],
    ['a group is created', grouped('GroupID_3'), false],
    ['a group is deleted', event('GroupDeleted', { group_id: OTHER }), false],
  ])('when %s', (_, change, stays) => {
    const drive = new SpecDrive().given(grouped(GROUP), grouped(OTHER));
    const kept = new JsonText('{}');
    page(drive).store(kept, [GROUP]);
    drive.given(change);
    expect(page(drive).cached).toBe(stays ? kept : undefined);
  });

  it('goes with any change if more than its records decides it', () => {
    const drive = new SpecDrive().given(grouped(GROUP), grouped(OTHER));
    page(drive).store(new JsonText('{}'));
    drive.given(event('GroupUpdated', { group_id: OTHER, name: 'x' }));
    expect(page(drive).cached).toBeUndefined();
  });
});
