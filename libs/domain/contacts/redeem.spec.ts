import { event } from '../foundation/events.js';
import {
  contacted,
  granted,
  grouped,
  invited,
  keyed,
  superswapped,
} from '../groups/testing/events.js';
import type { Refusal } from '../kernel/refusal.js';
import { OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { contactCommands, type RedeemContact as RedeemCommand } from './commands.js';

const { EndContactCode, RedeemContact } = contactCommands;

const PLACEHOLDER = 'UserID_placeholder';
const CAROL = 'UserID_carol';
const code = { redeem_code: 'RedeemTokenID_1', redeem_digest: 'digest-1' };
const fresh = {
  api_key_id: 'ApiKeyID_new',
  value: 'the token',
  digest: 'digest-of-token',
  last4: 'oken',
};
const command: RedeemCommand = {
  current_user_id: PLACEHOLDER,
  new_user_id: CAROL,
  redeem_digest: 'digest-1',
  fresh,
};

function withPlaceholder(): SpecDrive {
  return new SpecDrive().given(
    contacted(PLACEHOLDER, {
      ...code,
      name: 'Future Carol',
      public_note: 'starts in May',
      from_placeholder_user_id: PLACEHOLDER,
    }),
  );
}

const decide = (drive: SpecDrive, fields: Partial<RedeemCommand>) =>
  RedeemContact.decide(drive.context(CAROL), { ...command, ...fields });

describe('RedeemContact', () => {
  it('transfers the contact to the caller and creates a key for it', () => {
    const drive = withPlaceholder();
    const { answer, allowed_by, events } = drive.when(RedeemContact, CAROL, command);
    expect(allowed_by).toEqual(['CODE']);
    expect(events.map(({ type }) => type)).toEqual(['ContactRedeemed', 'ApiKeyCreated']);
    expect(answer!.api_key).toBe('the token');
    expect(answer!.contact).toMatchObject({
      id: CAROL,
      name: 'Future Carol',
      icp_principal: 'carol',
      public_note: 'starts in May',
      redeem_code: '',
      from_placeholder_user_id: PLACEHOLDER,
      past_user_ids: [PLACEHOLDER],
    });
    expect(drive.state.contacts.has(PLACEHOLDER)).toBe(false);
    expect(drive.state.contacts.get(CAROL)).toMatchObject({ redeem_code: '', redeem_digest: '' });
    expect(drive.state.api_keys.get('ApiKeyID_new')).toMatchObject({
      user_id: CAROL,
      name: 'Superswap User API Key',
      digest: 'digest-of-token',
      begins_at: 0,
      expires_at: -1,
      created_by: null,
    });
  });

  it.each([
    ['the user', CAROL, null],
    ['the placeholder', PLACEHOLDER, null],
    ['somebody else', 'UserID_dan', 'UserID_dan'],
  ])('creates a key of the service for %s, but of another redeemer', (_, caller, created_by) => {
    const drive = withPlaceholder();
    drive.when(RedeemContact, caller, command);
    expect(drive.state.api_keys.get('ApiKeyID_new')!.created_by).toBe(created_by);
  });

  it('swaps the id in the whole drive, keys included', () => {
    const drive = withPlaceholder().given(
      grouped('GroupID_g', PLACEHOLDER),
      invited('GroupInviteID_in', 'GroupID_g', PLACEHOLDER),
      granted('SystemPermissionID_to', PLACEHOLDER, 'TABLE_DISKS', 'VIEW'),
      granted('SystemPermissionID_on', 'UserID_a', PLACEHOLDER, 'VIEW'),
      keyed('ApiKeyID_old', PLACEHOLDER, 'digest-of-old'),
    );
    drive.when(RedeemContact, CAROL, command);
    const { groups, invites, system_permissions, api_keys, undo_log } = drive.state;
    expect(groups.get('GroupID_g')!.owner).toBe(CAROL);
    expect(invites.get('GroupInviteID_in')!.invitee_id).toBe(CAROL);
    expect(system_permissions.get('SystemPermissionID_to')!.granted_to).toBe(CAROL);
    expect(system_permissions.get('SystemPermissionID_on')!.resource_id).toBe(CAROL);
    expect(api_keys.get('ApiKeyID_old')!.user_id).toBe(CAROL);
    expect(undo_log.referencesTo(PLACEHOLDER)).toBe(0);
  });

  it('keeps the history of the swap', () => {
    const drive = withPlaceholder();
    drive.when(RedeemContact, CAROL, command);
    expect([...drive.state.superswaps.values()]).toMatchObject([
      { old_user_id: PLACEHOLDER, new_user_id: CAROL },
    ]);
  });

  it('prepends the note to the public note, truncated at 8192', () => {
    const { answer } = withPlaceholder().when(RedeemContact, CAROL, { ...command, note: 'hi' });
    expect(answer!.contact.public_note).toBe('hi\nstarts in May');
    const long = { ...command, note: 'x'.repeat(8192) };
    const cut = withPlaceholder().when(RedeemContact, CAROL, long);
    expect(cut.answer!.contact.public_note).toBe('x'.repeat(8192));
  });

  it('accepts an unreferenced id from any caller', () => {
    const { answer, refusal } = withPlaceholder().when(RedeemContact, 'UserID_helper', command);
    expect(refusal).toBeNull();
    expect(answer!.contact).toMatchObject({ id: CAROL, past_user_ids: [] });
  });

  it('accepts the caller’s own id even if it is referenced', () => {
    const drive = withPlaceholder().given(
      granted('SystemPermissionID_c', CAROL, 'TABLE_DISKS', 'VIEW'),
    );
    expect(drive.when(RedeemContact, CAROL, command).refusal).toBeNull();
  });

  it('can be called with a key of the placeholder itself', () => {
    const drive = withPlaceholder().given(keyed('ApiKeyID_p', PLACEHOLDER, 'digest-p'));
    const { answer } = drive.when(RedeemContact, { kind: 'api_key', digest: 'digest-p' }, command);
    expect(answer!.contact).toMatchObject({ id: CAROL, past_user_ids: [PLACEHOLDER] });
  });

  it.each([
    [T0 + 9000, T0 + 9000],
    [0, -1],
    [-1, -1],
  ])('called with a key that ends at %d, gives one that ends at %d', (ends, expires_at) => {
    const key = keyed('ApiKeyID_ending', 'UserID_helper', 'digest-e', { expires_at: ends });
    const drive = withPlaceholder().given(contacted('UserID_helper'), key);
    const caller = { kind: 'api_key', digest: 'digest-e' } as const;
    expect(drive.when(RedeemContact, caller, command).refusal).toBeNull();
    expect(drive.state.api_keys.get('ApiKeyID_new')).toMatchObject({ user_id: CAROL, expires_at });
  });

  it('answers for the new id, although the caller was resolved before the swap', () => {
    const drive = withPlaceholder();
    const before = drive.context(PLACEHOLDER);
    drive.when(RedeemContact, PLACEHOLDER, command);
    const { contact } = RedeemContact.answer({ ...before, state: drive.state }, command, []);
    expect(contact).toMatchObject({ id: CAROL, past_user_ids: [PLACEHOLDER] });
  });

  it('shows no token in a repeated answer', () => {
    const drive = withPlaceholder();
    drive.when(RedeemContact, CAROL, command);
    const masked = { ...drive.context(CAROL), masked: true };
    expect(RedeemContact.answer(masked, command, []).api_key).toBe('***');
  });

  describe('refuses', () => {
    it('with one message: a wrong, missing or used code, an unknown contact, one without a code, and the owner', () => {
      const drive = withPlaceholder().given(contacted('UserID_plain'));
      const used = withPlaceholder();
      used.when(RedeemContact, 'UserID_helper', command);
      const outcomes = [
        decide(drive, { redeem_digest: 'digest-2' }),
        decide(drive, { redeem_digest: '' }),
        decide(drive, { current_user_id: 'UserID_unknown' }),
        decide(drive, { current_user_id: 'UserID_plain' }),
        decide(drive, { current_user_id: 'UserID_plain', redeem_digest: '' }),
        decide(drive, { current_user_id: OWNER }),
        decide(drive, { current_user_id: OWNER, redeem_digest: '' }),
        decide(used, {}),
      ];
      const first = outcomes[0] as Refusal;
      expect(first.refusal).toBe('redeem-code-invalid');
      for (const outcome of outcomes) expect(outcome).toEqual(first);
    });

    it('the owner even with a remaining code', () => {
      const drive = withPlaceholder().given(
        superswapped(OWNER, 'UserID_elsewhere'),
        contacted('UserID_heir', code),
        event('OwnershipTransferRequested', { next_owner_id: 'UserID_heir' }),
      );
      const heir = drive.state.contacts.get('UserID_heir')!;
      const organization = drive.state.organization;
      drive.state.organizations.put({ ...organization, owner_id: heir.id });
      expect(decide(drive, { current_user_id: heir.id })).toMatchObject({
        refusal: 'redeem-code-invalid',
      });
    });

    it('to swap a user with itself', () => {
      expect(decide(withPlaceholder(), { new_user_id: PLACEHOLDER })).toMatchObject({
        refusal: 'same-user',
      });
    });

    it('an id that is a contact', () => {
      const drive = withPlaceholder().given(contacted(CAROL));
      expect(decide(drive, {})).toMatchObject({ refusal: 'contact-exists' });
    });

    it('a former id of another contact', () => {
      const drive = withPlaceholder().given(contacted(CAROL), superswapped(CAROL, 'UserID_x'));
      expect(decide(drive, {})).toMatchObject({ refusal: 'former-user-id' });
    });

    it('a referenced id of another user', () => {
      const drive = withPlaceholder().given(
        granted('SystemPermissionID_d', 'UserID_dave', 'TABLE_DISKS', 'VIEW'),
      );
      expect(decide(drive, { new_user_id: 'UserID_dave' })).toMatchObject({
        refusal: 'user-in-use',
      });
    });

    it('to reveal anything about the new id before the code is verified', () => {
      const drive = withPlaceholder().given(contacted(CAROL));
      expect(decide(drive, { redeem_digest: 'digest-2' })).toMatchObject({
        refusal: 'redeem-code-invalid',
      });
    });

    it('callers without an identity', () => {
      const { refusal } = withPlaceholder().when(RedeemContact, { kind: 'anonymous' }, command);
      expect(refusal).toBe('token-missing');
    });
  });

  it('may swap a contact back to one of its former ids', () => {
    const drive = new SpecDrive().given(contacted(CAROL), superswapped(CAROL, PLACEHOLDER));
    const contact = drive.state.contacts.get(PLACEHOLDER)!;
    drive.state.contacts.put({ ...contact, ...code });
    const { answer } = drive.when(RedeemContact, CAROL, command);
    expect(answer!.contact.past_user_ids).toEqual([PLACEHOLDER]);
  });
});

describe('EndContactCode', () => {
  const service = { kind: 'system' } as const;
  const end = { contact_id: CAROL };
  const waiting = contacted(CAROL, { ...code, code_ends_on_sign_in: true });

  it('ends the code of the signed-in user', () => {
    const drive = new SpecDrive().given(waiting);
    const { allowed_by, events } = drive.when(EndContactCode, service, end);
    expect(allowed_by).toEqual(['SYSTEM']);
    expect(events).toEqual([event('ContactCodeEnded', { contact_id: CAROL })]);
    expect(drive.state.contacts.get(CAROL)).toMatchObject({
      redeem_code: '',
      redeem_digest: '',
      code_ends_on_sign_in: false,
    });
    const redeem = { ...command, current_user_id: CAROL, new_user_id: 'UserID_thief' };
    expect(drive.when(RedeemContact, 'UserID_thief', redeem).refusal).toBe('redeem-code-invalid');
  });

  it('is a no-op if repeated, and for explicit placeholders and strangers', () => {
    const drive = withPlaceholder().given(waiting);
    drive.when(EndContactCode, service, end);
    for (const contact_id of [CAROL, PLACEHOLDER, 'UserID_a'])
      expect(drive.when(EndContactCode, service, { contact_id })).toMatchObject({
        events: [],
        refusal: null,
      });
    expect(drive.state.contacts.get(PLACEHOLDER)).toMatchObject(code);
  });

  it('is refused for users', () => {
    const drive = new SpecDrive().given(waiting);
    for (const who of [CAROL, OWNER])
      expect(drive.when(EndContactCode, who, end).refusal).toBe('forbidden');
  });
});
