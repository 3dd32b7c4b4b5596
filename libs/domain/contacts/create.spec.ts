import { event } from '../foundation/events.js';
import {
  contacted,
  granted,
  grouped,
  invited,
  keyed,
  superswapped,
} from '../groups/testing/events.js';
import { EVERYONE, OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { contactCommands } from './commands.js';

const { CreateContact, DeleteContact } = contactCommands;

const BOB = 'UserID_bob';
const fresh = {
  subject_key_id: 'subject-bob',
  invite_id: 'GroupInviteID_bob',
  code: 'RedeemTokenID_bob',
  code_digest: 'digest-of-bob',
};
const bob = { id: BOB, fresh };

const created = (is_placeholder?: boolean) => {
  const drive = new SpecDrive();
  drive.when(CreateContact, OWNER, { ...bob, is_placeholder });
  return drive.state.contacts.get(BOB)!;
};

describe('CreateContact', () => {
  it('creates a contact displayed by its id, with a code and without secrets', () => {
    const at_ms = T0 + 1;
    const { answer, allowed_by } = new SpecDrive().when(CreateContact, OWNER, bob);
    expect(allowed_by).toEqual(['OWNER']);
    expect(answer).toEqual({
      id: BOB,
      name: BOB,
      avatar: '',
      email: '',
      notifications_url: '',
      public_note: '',
      private_note: '',
      evm_public_address: '',
      icp_principal: 'bob',
      seed_phrase: '',
      secret_entropy: '',
      from_placeholder_user_id: '',
      redeem_code: 'RedeemTokenID_bob',
      created_at: at_ms,
      last_online_ms: 0,
      external_id: null,
      external_payload: null,
      permission_previews: ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'],
      labels: [],
      group_previews: [
        {
          group_id: EVERYONE,
          invite_id: 'GroupInviteID_bob',
          is_admin: false,
          group_name: 'Group for All',
          group_avatar: '',
        },
      ],
      group_count: 1,
      past_user_ids: [],
    });
  });

  it('stores all fields of the caller', () => {
    const fields = {
      name: 'Bob',
      avatar: 'http://a.example/b.png',
      email: 'bob@b.example',
      notifications_url: 'http://n.example',
      public_note: 'p',
      private_note: 'q',
      evm_public_address: `0x${'a'.repeat(40)}`,
      external_id: 'e',
      external_payload: 'f',
    };
    const { answer } = new SpecDrive().when(CreateContact, OWNER, { ...bob, ...fields });
    expect(answer).toMatchObject(fields);
  });

  it('requires CREATE on CONTACTS, names the grant, and stores the creator of contact and invite', () => {
    const drive = new SpecDrive();
    expect(drive.when(CreateContact, 'UserID_a', bob).refusal).toBe('forbidden');
    drive.given(granted('SystemPermissionID_c', 'UserID_a', 'TABLE_CONTACTS', 'CREATE'));
    const { allowed_by } = drive.when(CreateContact, 'UserID_a', bob);
    expect(allowed_by).toEqual(['SystemPermissionID_c']);
    expect(drive.state.contacts.get(BOB)!.created_by).toBe('UserID_a');
    expect(drive.state.invites.get('GroupInviteID_bob')).toMatchObject({
      inviter_id: 'UserID_a',
      invitee_id: BOB,
      role: 'MEMBER',
      active_from: 0,
      expires_at: -1,
      redeem_code: null,
    });
  });

  it('checks the permission before it reveals that an id is in use', () => {
    expect(new SpecDrive().when(CreateContact, 'UserID_a', { ...bob, id: OWNER }).refusal).toBe(
      'forbidden',
    );
  });

  it('refuses the id of an existing contact, and a former id of one', () => {
    const drive = new SpecDrive().given(contacted(BOB));
    expect(drive.when(CreateContact, OWNER, bob).refusal).toBe('contact-exists');
    drive.given(superswapped(BOB, 'UserID_bobby'));
    expect(drive.when(CreateContact, OWNER, bob).refusal).toBe('former-user-id');
  });

  it('accepts the id of a deleted contact again, and its former ids', () => {
    const drive = new SpecDrive().given(contacted(BOB), superswapped(BOB, 'UserID_bobby'));
    drive.when(DeleteContact, OWNER, { id: 'UserID_bobby' });
    expect(drive.when(CreateContact, OWNER, bob).refusal).toBeNull();
    expect(drive.when(CreateContact, OWNER, { ...bob, id: 'UserID_bobby' }).refusal).toBeNull();
  });

  describe('gives a redeem code', () => {
    it('to an explicit placeholder, valid until redeemed', () => {
      expect(created(true)).toMatchObject({
        redeem_code: 'RedeemTokenID_bob',
        redeem_digest: 'digest-of-bob',
        from_placeholder_user_id: BOB,
        code_ends_on_sign_in: false,
      });
    });

    it('by default, ended by the first sign-in', () => {
      expect(created()).toMatchObject({
        redeem_code: 'RedeemTokenID_bob',
        redeem_digest: 'digest-of-bob',
        from_placeholder_user_id: '',
        code_ends_on_sign_in: true,
      });
    });

    it('not to a contact that is explicitly no placeholder', () => {
      expect(created(false)).toMatchObject({
        redeem_code: '',
        redeem_digest: '',
        from_placeholder_user_id: '',
        code_ends_on_sign_in: false,
      });
    });
  });

  it.each([
    ['an invite', invited('GroupInviteID_x', 'GroupID_g', BOB)],
    ['an invite it made', invited('GroupInviteID_x', 'GroupID_g', 'PUBLIC', { inviter_id: BOB })],
    ['a grant to it', granted('SystemPermissionID_x', BOB, 'TABLE_DISKS', 'VIEW')],
    ['a grant on it', granted('SystemPermissionID_x', 'UserID_a', BOB, 'VIEW')],
    ['a group it owns', grouped('GroupID_bobs', BOB)],
    ['an api key', keyed('ApiKeyID_x', BOB, 'digest-of-key')],
    ['a contact it made', contacted('UserID_c', { created_by: BOB })],
    ['a transfer of ownership', event('OwnershipTransferRequested', { next_owner_id: BOB })],
  ])('gives no code for an id that the drive knows by %s', (_, reference) => {
    const drive = new SpecDrive().given(grouped('GroupID_g'), reference);
    const placeholder = { ...bob, is_placeholder: true };
    expect(drive.when(CreateContact, OWNER, placeholder).refusal).toBe('user-in-use');
    const { answer } = drive.when(CreateContact, OWNER, bob);
    expect(answer!.redeem_code).toBe('');
    expect(drive.state.contacts.get(BOB)).toMatchObject({
      redeem_digest: '',
      code_ends_on_sign_in: false,
    });
  });

  it('activates earlier grants and invites to the id', () => {
    const drive = new SpecDrive().given(
      grouped('GroupID_g'),
      invited('GroupInviteID_x', 'GroupID_g', BOB),
    );
    const { answer } = drive.when(CreateContact, OWNER, bob);
    expect(answer!.group_previews.map(({ group_id }) => group_id)).toEqual([EVERYONE, 'GroupID_g']);
  });

  it('creates no second invite to the Group for All, whatever the window of the first', () => {
    const drive = new SpecDrive().given(
      invited('GroupInviteID_early', EVERYONE, BOB, { expires_at: 1 }),
    );
    drive.when(CreateContact, OWNER, bob);
    expect([...drive.state.invites.by('invitee', BOB)]).toEqual(['GroupInviteID_early']);
  });

  it('creates no invite after the Group for All was deleted', () => {
    const drive = new SpecDrive().given(event('GroupDeleted', { group_id: EVERYONE }));
    expect(drive.when(CreateContact, OWNER, bob).answer!.group_previews).toEqual([]);
  });
});
