import { event } from '../drive/events.js';
import {
  contacted,
  granted,
  grouped,
  invited,
  keyed,
  superswapped,
} from '../groups/spec-events.js';
import { EVERYONE, OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { contactCommands } from './definitions.js';

const { CreateContact, DeleteContact, UpdateContact } = contactCommands;

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
  it('makes a contact that is called by its id, with a code and no secrets', () => {
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
      past_user_ids: [],
    });
  });

  it('takes all fields from the caller', () => {
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

  it('needs CREATE on CONTACTS, names the grant, and notes who made contact and invite', () => {
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

  it('asks for the right before it tells that an id is taken', () => {
    expect(new SpecDrive().when(CreateContact, 'UserID_a', { ...bob, id: OWNER }).refusal).toBe(
      'forbidden',
    );
  });

  it('refuses a contact there is, and a former id of one', () => {
    const drive = new SpecDrive().given(contacted(BOB));
    expect(drive.when(CreateContact, OWNER, bob).refusal).toBe('contact-exists');
    drive.given(superswapped(BOB, 'UserID_bobby'));
    expect(drive.when(CreateContact, OWNER, bob).refusal).toBe('former-user-id');
  });

  it('takes the id of a deleted contact again, its former ids too', () => {
    const drive = new SpecDrive().given(contacted(BOB), superswapped(BOB, 'UserID_bobby'));
    drive.when(DeleteContact, OWNER, { id: 'UserID_bobby' });
    expect(drive.when(CreateContact, OWNER, bob).refusal).toBeNull();
    expect(drive.when(CreateContact, OWNER, { ...bob, id: 'UserID_bobby' }).refusal).toBeNull();
  });

  describe('gives a redeem code', () => {
    it('that lasts until redeemed to an explicit placeholder', () => {
      expect(created(true)).toMatchObject({
        redeem_code: 'RedeemTokenID_bob',
        redeem_digest: 'digest-of-bob',
        from_placeholder_user_id: BOB,
        code_ends_on_sign_in: false,
      });
    });

    it('that ends on signing in, when nothing is said', () => {
      expect(created()).toMatchObject({
        redeem_code: 'RedeemTokenID_bob',
        redeem_digest: 'digest-of-bob',
        from_placeholder_user_id: '',
        code_ends_on_sign_in: true,
      });
    });

    it('to nobody who is said to be no placeholder', () => {
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

  it('lets what named the id before take effect', () => {
    const drive = new SpecDrive().given(
      grouped('GroupID_g'),
      invited('GroupInviteID_x', 'GroupID_g', BOB),
    );
    const { answer } = drive.when(CreateContact, OWNER, bob);
    expect(answer!.group_previews.map(({ group_id }) => group_id)).toEqual([EVERYONE, 'GroupID_g']);
  });

  it('invites nobody to the Group for All twice, whatever the window of the first invite', () => {
    const drive = new SpecDrive().given(
      invited('GroupInviteID_early', EVERYONE, BOB, { expires_at: 1 }),
    );
    drive.when(CreateContact, OWNER, bob);
    expect([...drive.state.invites.by('invitee', BOB)]).toEqual(['GroupInviteID_early']);
  });

  it('invites nobody once the Group for All is gone', () => {
    const drive = new SpecDrive().given(event('GroupDeleted', { group_id: EVERYONE }));
    expect(drive.when(CreateContact, OWNER, bob).answer!.group_previews).toEqual([]);
  });
});

describe('UpdateContact', () => {
  const others = granted('SystemPermissionID_e', 'UserID_e', BOB, 'EDIT');

  it('changes what is given and leaves the rest', () => {
    const drive = new SpecDrive().given(contacted(BOB, { name: 'Bob', private_note: 'n' }));
    const at_ms = drive.now;
    const { answer, events } = drive.when(UpdateContact, OWNER, { id: BOB, email: 'b@b.example' });
    expect(answer).toMatchObject({ name: 'Bob', email: 'b@b.example', private_note: 'n' });
    expect(events).toMatchObject([{ data: { subject_key_id: `subject-${BOB}` } }]);
    expect(drive.state.contacts.get(BOB)!.updated_at).toBe(at_ms);
  });

  it('clears what is emptied', () => {
    const drive = new SpecDrive().given(contacted(BOB, { avatar: 'x', external_id: 'e' }));
    const { answer } = drive.when(UpdateContact, OWNER, { id: BOB, avatar: '', external_id: null });
    expect(answer).toMatchObject({ avatar: '', external_id: null });
  });

  it('lets people change their own fields', () => {
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
    'lets nobody change %j of themselves without EDIT',
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

  it('does not tell strangers whether a contact exists', () => {
    const drive = new SpecDrive().given(contacted(BOB));
    const refusals = [BOB, 'UserID_unknown'].map(
      (id) => drive.when(UpdateContact, 'UserID_a', { id, name: 'x' }).refusal,
    );
    expect(refusals).toEqual(['forbidden', 'forbidden']);
  });

  it('refuses an unknown contact to whoever may ask, and an empty change', () => {
    const drive = new SpecDrive().given(contacted(BOB));
    const unknown = { id: 'UserID_unknown', name: 'x' };
    expect(drive.when(UpdateContact, OWNER, unknown).refusal).toBe('contact-not-found');
    expect(drive.when(UpdateContact, 'UserID_unknown', unknown).refusal).toBe('contact-not-found');
    expect(drive.when(UpdateContact, OWNER, { id: BOB }).refusal).toBe('nothing-to-update');
  });
});

describe('DeleteContact', () => {
  it('needs DELETE on CONTACTS, and tells nobody else whether a contact exists', () => {
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

  it('takes along what admits the contact, and what stands on it', () => {
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
    const { invites, api_keys, system_permissions, journal } = drive.state;
    expect(invites.has('GroupInviteID_in')).toBe(false);
    expect(api_keys.has('ApiKeyID_bob')).toBe(false);
    for (const name of ['to', 'on', 'invite'])
      expect(system_permissions.has(`SystemPermissionID_${name}`)).toBe(false);
    expect(journal.referencesTo(BOB)).toBe(0);
  });

  it('leaves what the contact gave to others', () => {
    const by_bob = { inviter_id: BOB };
    const drive = new SpecDrive().given(
      contacted(BOB),
      grouped('GroupID_g'),
      invited('GroupInviteID_by', 'GroupID_g', 'UserID_a', by_bob),
    );
    drive.when(DeleteContact, OWNER, { id: BOB });
    expect(drive.state.invites.get('GroupInviteID_by')).toMatchObject(by_bob);
  });

  it('passes groups on to the owner of the organization', () => {
    const drive = new SpecDrive().given(contacted(BOB), grouped('GroupID_bobs', BOB));
    drive.when(DeleteContact, OWNER, { id: BOB });
    expect(drive.state.groups.get('GroupID_bobs')!.owner).toBe(OWNER);
  });
});
