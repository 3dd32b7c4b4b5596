import { contacted, granted, grouped, invited, keyed } from '../groups/testing/events.js';
import { OWNER, SpecDrive } from '../testing/drive.js';
import { contactCommands } from './commands.js';

const { DeleteContact, UpdateContact } = contactCommands;

const BOB = 'UserID_bob';

describe('UpdateContact', () => {
  const others = granted('SystemPermissionID_e', 'UserID_e', BOB, 'EDIT');

  it('changes only the given fields', () => {
    const drive = new SpecDrive().given(contacted(BOB, { name: 'Bob', private_note: 'n' }));
    const at_ms = drive.now;
    const { answer, events } = drive.when(UpdateContact, OWNER, { id: BOB, email: 'b@b.example' });
    expect(answer).toMatchObject({ name: 'Bob', email: 'b@b.example', private_note: 'n' });
    expect(events).toMatchObject([{ data: { subject_key_id: `subject-${BOB}` } }]);
    expect(drive.state.contacts.get(BOB)!.updated_at).toBe(at_ms);
  });

  it('clears emptied fields', () => {
    const drive = new SpecDrive().given(contacted(BOB, { avatar: 'x', external_id: 'e' }));
    const { answer } = drive.when(UpdateContact, OWNER, { id: BOB, avatar: '', external_id: null });
    expect(answer).toMatchObject({ avatar: '', external_id: null });
  });

  it('lets users change fields of their own contact', () => {
    const drive = new SpecDrive().given(contacted(BOB));
    const own = {
      name: 'Bob',
      avatar: 'http://a.example',
      email: 'b@b.example',
      notifications_url: 'http://n.example',
      public_note: 'p',
      evm_public_address: `0x${'b'.repeat(40)}`,
    };
    const { answer, allowed_by } = drive.when(UpdateContact, BOB, { id: BOB, ...own });
    expect(allowed_by).toEqual(['SELF']);
    expect(answer).toMatchObject(own);
  });

  it.each([{ private_note: 'n' }, { external_id: 'e' }, { external_payload: 'p' }])(
    'requires EDIT to change %j of one’s own contact',
    (field) => {
      const drive = new SpecDrive().given(contacted(BOB));
      const command = { id: BOB, name: 'Bob', ...field };
      expect(drive.when(UpdateContact, BOB, command).refusal).toBe('forbidden');
      drive.given(granted('SystemPermissionID_self', BOB, 'TABLE_CONTACTS', 'EDIT'));
      expect(drive.when(UpdateContact, BOB, command).allowed_by).toEqual([
        'SystemPermissionID_self',
      ]);
    },
  );

  it('lets holders of EDIT change everything', () => {
    const drive = new SpecDrive().given(contacted(BOB), others);
    const command = { id: BOB, private_note: 'n', name: 'Bob' };
    expect(drive.when(UpdateContact, 'UserID_e', command).allowed_by).toEqual([
      'SystemPermissionID_e',
    ]);
  });

  it('does not reveal to strangers whether a contact exists', () => {
    const drive = new SpecDrive().given(contacted(BOB));
    const refusals = [BOB, 'UserID_unknown'].map(
      (id) => drive.when(UpdateContact, 'UserID_a', { id, name: 'x' }).refusal,
    );
    expect(refusals).toEqual(['forbidden', 'forbidden']);
  });

  it('refuses an unknown contact for permitted callers, and an empty change', () => {
    const drive = new SpecDrive().given(contacted(BOB));
    const unknown = { id: 'UserID_unknown', name: 'x' };
    expect(drive.when(UpdateContact, OWNER, unknown).refusal).toBe('contact-not-found');
    expect(drive.when(UpdateContact, 'UserID_unknown', unknown).refusal).toBe('contact-not-found');
    expect(drive.when(UpdateContact, OWNER, { id: BOB }).refusal).toBe('nothing-to-update');
  });
});

describe('DeleteContact', () => {
  it('requires DELETE on CONTACTS, and does not reveal to others whether a contact exists', () => {
    const drive = new SpecDrive().given(contacted(BOB));
    for (const id of [BOB, 'UserID_unknown'])
      expect(drive.when(DeleteContact, 'UserID_a', { id }).refusal).toBe('forbidden');
    expect(drive.when(DeleteContact, BOB, { id: BOB }).refusal).toBe('forbidden');
    drive.given(granted('SystemPermissionID_d', 'UserID_a', BOB, 'DELETE'));
    const { answer, allowed_by } = drive.when(DeleteContact, 'UserID_a', { id: BOB });
    expect(answer).toEqual({ id: BOB, deleted: true });
    expect(allowed_by).toEqual(['SystemPermissionID_d']);
    expect(drive.state.contacts.has(BOB)).toBe(false);
  });

  it('refuses an unknown contact and the owner’s', () => {
    const drive = new SpecDrive();
    expect(drive.when(DeleteContact, OWNER, { id: BOB }).refusal).toBe('contact-not-found');
    expect(drive.when(DeleteContact, OWNER, { id: OWNER }).refusal).toBe(
      'owner-contact-undeletable',
    );
  });

  it('also deletes the contact’s invites, keys and grants, and the grants on it', () => {
    const drive = new SpecDrive().given(
      contacted(BOB),
      grouped('GroupID_g'),
      invited('GroupInviteID_in', 'GroupID_g', BOB),
      keyed('ApiKeyID_bob', BOB, 'digest-of-key'),
      granted('SystemPermissionID_to', BOB, 'TABLE_DISKS', 'VIEW'),
      granted('SystemPermissionID_on', 'UserID_a', BOB, 'EDIT'),
      granted('SystemPermissionID_invite', 'UserID_a', 'GroupInviteID_in', 'VIEW'),
    );
    drive.when(DeleteContact, OWNER, { id: BOB });
    const { invites, api_keys, system_permissions, undo_log } = drive.state;
    expect(invites.has('GroupInviteID_in')).toBe(false);
    expect(api_keys.has('ApiKeyID_bob')).toBe(false);
    for (const name of ['to', 'on', 'invite'])
      expect(system_permissions.has(`SystemPermissionID_${name}`)).toBe(false);
    expect(undo_log.referencesTo(BOB)).toBe(0);
  });

  it('keeps grants and invites by the contact to others', () => {
    const by_bob = { inviter_id: BOB };
    const drive = new SpecDrive().given(
      contacted(BOB),
      grouped('GroupID_g'),
      invited('GroupInviteID_by', 'GroupID_g', 'UserID_a', by_bob),
    );
    drive.when(DeleteContact, OWNER, { id: BOB });
    expect(drive.state.invites.get('GroupInviteID_by')).toMatchObject(by_bob);
  });

  it('transfers groups to the owner of the organization', () => {
    const drive = new SpecDrive().given(contacted(BOB), grouped('GroupID_bobs', BOB));
    drive.when(DeleteContact, OWNER, { id: BOB });
    expect(drive.state.groups.get('GroupID_bobs')!.owner).toBe(OWNER);
  });
});
