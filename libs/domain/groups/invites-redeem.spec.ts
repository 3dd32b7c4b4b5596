import { serviceContactCreated } from '../relations/bare-contact.js';
import { EVERYONE, OWNER, SpecDrive, T0 } from '../testing/drive.js';
import type { RedeemInvite } from './commands.js';
import { inviteCommands } from './definitions.js';
import type { GroupEvents } from './events.js';
import { grouped, invited, superswapped } from './testing/events.js';
import { validateMembership } from './validate.js';

const { RedeemInvite } = inviteCommands;

const GROUP = 'GroupID_finance';
const OPEN = 'GroupInviteID_open';
const CODED = 'GroupInviteID_coded';
const PLACEHOLDER = 'PlaceholderGroupInviteeID_1';
const fresh = { invite_id: 'GroupInviteID_new', subject_key_id: 'subject-new' };

const withCode: RedeemInvite = {
  invite_id: CODED,
  redeem_code: 'RedeemTokenID_1',
  redeem_digest: 'digest-1',
  fresh,
};
const openly: RedeemInvite = {
  invite_id: OPEN,
  redeem_code: 'PUBLIC',
  redeem_digest: 'digest-of-public',
  fresh,
};

/** A group with a placeholder invite and a public one, both with the same fields. */
function finance(fields: Partial<GroupEvents['GroupInviteCreated']> = {}): SpecDrive {
  const code = { redeem_code: 'RedeemTokenID_1', redeem_digest: 'digest-1' };
  return new SpecDrive().given(
    grouped(GROUP),
    invited(CODED, GROUP, PLACEHOLDER, { ...code, ...fields }),
    invited(OPEN, GROUP, 'PUBLIC', fields),
    serviceContactCreated('UserID_bob', 'subject-bob'),
  );
}

function financeWithNamed(redeem_digest: string): SpecDrive {
  const redeem_code = redeem_digest ? 'RedeemTokenID_1' : null;
  const fields = { redeem_code, redeem_digest };
  return finance().given(invited('GroupInviteID_named', GROUP, 'UserID_bob', fields));
}

function isMember(drive: SpecDrive, user_id: string): boolean {
  const answer = validateMembership(drive.context(user_id), { user_id, group_id: GROUP });
  return 'is_member' in answer && answer.is_member;
}

describe('RedeemInvite of a placeholder', () => {
  it('replaces the placeholder by the caller and invalidates the code', () => {
    const drive = finance({ role: 'ADMIN', expires_at: T0 + 9_999, active_from: 1 });
    const at_ms = drive.now;
    const { answer, allowed_by } = drive.when(RedeemInvite, 'UserID_bob', withCode);
    expect(allowed_by).toEqual(['CODE']);
    expect(answer!.invite).toMatchObject({
      id: CODED,
      invitee_id: 'UserID_bob',
      from_placeholder_invitee: PLACEHOLDER,
      redeem_code: null,
      role: 'ADMIN',
      active_from: 1,
      expires_at: T0 + 9_999,
      last_modified_at: at_ms,
      invitee_name: 'UserID_bob',
    });
    expect(drive.state.invites.get(CODED)).toMatchObject({ redeem_code: null, redeem_digest: '' });
    expect(isMember(drive, 'UserID_bob')).toBe(true);
  });

  it('works once', () => {
    const drive = finance();
    drive.when(RedeemInvite, 'UserID_bob', withCode);
    expect(drive.when(RedeemInvite, 'UserID_carol', withCode).refusal).toBe('redeem-code-invalid');
    expect(drive.when(RedeemInvite, 'UserID_bob', withCode).refusal).toBe('redeem-code-invalid');
  });

  it('refuses a wrong code, and the code of public invites', () => {
    const drive = finance();
    const wrong = { ...withCode, redeem_code: 'RedeemTokenID_2', redeem_digest: 'digest-2' };
    expect(drive.when(RedeemInvite, 'UserID_bob', wrong).refusal).toBe('redeem-code-invalid');
    const open = { ...openly, invite_id: CODED };
    expect(drive.when(RedeemInvite, 'UserID_bob', open).refusal).toBe('redeem-code-invalid');
  });

  it('prepends the note to the existing one', () => {
    const { answer } = finance({ note: 'for sales' }).when(RedeemInvite, 'UserID_bob', {
      ...withCode,
      note: 'hello',
    });
    expect(answer!.invite.note).toBe('hello\nfor sales');
  });

  it('truncates the joined note at 8192', () => {
    const { answer } = finance({ note: 'x'.repeat(8192) }).when(RedeemInvite, 'UserID_bob', {
      ...withCode,
      note: 'hello',
    });
    expect(answer!.invite.note).toBe(`hello\n${'x'.repeat(8186)}`);
    const pairs = finance({ note: '😀'.repeat(4096) });
    const joined = pairs.when(RedeemInvite, 'UserID_bob', { ...withCode, note: 'hell' });
    expect(joined.answer!.invite.note).toBe(`hell\n${'😀'.repeat(4093)}`);
  });

  it('is allowed before the window begins; the membership starts with it', () => {
    const drive = finance({ active_from: T0 + 1_000 });
    expect(drive.when(RedeemInvite, 'UserID_bob', withCode).refusal).toBeNull();
    expect(isMember(drive, 'UserID_bob')).toBe(false);
    expect(isMember(drive.after(1_000), 'UserID_bob')).toBe(true);
  });
});

describe('RedeemInvite of a public invite', () => {
  it('creates an invite for the caller and keeps the public one', () => {
    const fields = {
      inviter_id: 'UserID_ann',
      active_from: 1,
      expires_at: T0 + 9_999,
      external_id: 'e',
      external_payload: 'p',
      note: 'open house',
    };
    const drive = finance(fields);
    const { answer, allowed_by } = drive.when(RedeemInvite, 'UserID_bob', {
      ...openly,
      note: 'hi',
    });
    expect(allowed_by).toEqual(['CODE']);
    expect(answer!.invite).toMatchObject({
      ...fields,
      id: 'GroupInviteID_new',
      group_id: GROUP,
      invitee_id: 'UserID_bob',
      role: 'MEMBER',
      redeem_code: null,
      from_placeholder_invitee: OPEN,
      note: 'hi\nopen house',
    });
    expect(drive.state.invites.get(OPEN)).toMatchObject({ invitee_id: 'PUBLIC' });
    const again = { ...openly, fresh: { ...fresh, invite_id: 'GroupInviteID_next' } };
    expect(drive.when(RedeemInvite, 'UserID_carol', again).answer!.invite.id).toBe(
      'GroupInviteID_next',
    );
  });

  it('answers a member’s existing invite, unchanged', () => {
    const drive = finance().given(invited('GroupInviteID_bob', GROUP, 'UserID_bob'));
    const { answer, events } = drive.when(RedeemInvite, 'UserID_bob', { ...openly, note: 'hi' });
    expect(events).toEqual([]);
    expect(answer!.invite).toMatchObject({ id: 'GroupInviteID_bob', note: '' });
  });

  it('answers the invite that the caller made from it before, also before its beginning', () => {
    const drive = finance({ active_from: T0 + 9_999 });
    const again = { ...openly, fresh: { ...fresh, invite_id: 'GroupInviteID_next' } };
    drive.when(RedeemInvite, 'UserID_bob', openly);
    const { answer, events } = drive.when(RedeemInvite, 'UserID_bob', again);
    expect([events, answer!.invite.id]).toEqual([[], 'GroupInviteID_new']);
    expect(drive.when(RedeemInvite, 'UserID_carol', again).answer!.invite.id).toBe(
      'GroupInviteID_next',
    );
  });

  it('makes a new invite beside one of another origin that has not begun', () => {
    const later = invited('GroupInviteID_bob', GROUP, 'UserID_bob', { active_from: T0 + 9_999 });
    const { answer } = finance().given(later).when(RedeemInvite, 'UserID_bob', openly);
    expect(answer!.invite.id).toBe('GroupInviteID_new');
  });

  it('ignores an expired invite', () => {
    const past = invited('GroupInviteID_bob', GROUP, 'UserID_bob', { expires_at: T0 + 1 });
    const { answer } = finance().given(past).when(RedeemInvite, 'UserID_bob', openly);
    expect(answer!.invite.id).toBe('GroupInviteID_new');
  });

  it('accepts only its fixed code', () => {
    expect(
      finance().when(RedeemInvite, 'UserID_bob', { ...withCode, invite_id: OPEN }).refusal,
    ).toBe('redeem-code-invalid');
  });
});

describe('RedeemInvite of a named user’s invite', () => {
  const named = { ...withCode, invite_id: 'GroupInviteID_named' };

  it('refuses one without a code', () => {
    const drive = financeWithNamed('');
    expect(drive.when(RedeemInvite, 'UserID_bob', named).refusal).toBe('redeem-code-invalid');
    const blank = { ...named, redeem_code: '', redeem_digest: '' };
    expect(drive.when(RedeemInvite, 'UserID_bob', blank).refusal).toBe('redeem-code-invalid');
  });

  it('changes nothing for that user and refuses others', () => {
    const drive = financeWithNamed('digest-1');
    expect(drive.when(RedeemInvite, 'UserID_carol', named).refusal).toBe('forbidden');
    const { answer, events, allowed_by } = drive.when(RedeemInvite, 'UserID_bob', named);
    expect(allowed_by).toEqual(['CODE']);
    expect(events).toEqual([]);
    expect(answer!.invite).toMatchObject({ id: 'GroupInviteID_named', invitee_id: 'UserID_bob' });
  });
});

describe('RedeemInvite', () => {
  it('creates a contact for a caller without one, outside the Group for All', () => {
    const drive = finance();
    const { answer, events } = drive.when(RedeemInvite, 'UserID_carol', withCode);
    expect(events.map(({ type }) => type)).toEqual(['ContactCreated', 'GroupInviteRedeemed']);
    expect(answer!.invite.invitee_name).toBe('UserID_carol');
    expect(drive.state.contacts.get('UserID_carol')).toMatchObject({
      name: '',
      redeem_code: '',
      redeem_digest: '',
      created_by: null,
      subject_key_id: 'subject-new',
    });
    const everyone = [...drive.state.invites.where('group', EVERYONE)];
    expect(everyone.map(({ invitee_id }) => invitee_id)).toEqual([OWNER]);
  });

  it('also creates the contact for a member without one', () => {
    const drive = finance().given(invited('GroupInviteID_c', GROUP, 'UserID_carol'));
    const { answer, events } = drive.when(RedeemInvite, 'UserID_carol', openly);
    expect(events.map(({ type }) => type)).toEqual(['ContactCreated']);
    expect(answer!.invite.id).toBe('GroupInviteID_c');
  });

  it('refuses an unknown invite', () => {
    const unknown = { ...withCode, invite_id: 'GroupInviteID_unknown' };
    expect(finance().when(RedeemInvite, 'UserID_bob', unknown).refusal).toBe('invite-not-found');
  });

  it('refuses an invite from the moment it expires, not earlier', () => {
    const expires_at = T0 + 1_000;
    const drive = finance({ expires_at });
    drive.after(expires_at - 1 - drive.now);
    expect(drive.when(RedeemInvite, 'UserID_bob', withCode).refusal).toBeNull();
    expect(drive.now).toBe(expires_at);
    expect(drive.when(RedeemInvite, 'UserID_carol', openly).refusal).toBe('not-redeemable');
  });

  it('reveals nothing about the window without the code', () => {
    const drive = finance({ expires_at: 1 });
    const wrong = { ...withCode, redeem_digest: 'digest-2' };
    expect(drive.when(RedeemInvite, 'UserID_bob', wrong).refusal).toBe('redeem-code-invalid');
  });

  it('refuses an id that a contact had before', () => {
    const drive = finance().given(superswapped('UserID_bob', 'UserID_bobby'));
    expect(drive.when(RedeemInvite, 'UserID_bob', withCode).refusal).toBe('former-user-id');
    expect(drive.when(RedeemInvite, 'UserID_bobby', withCode).refusal).toBeNull();
  });

  it('refuses callers without an identity', () => {
    expect(finance().when(RedeemInvite, { kind: 'anonymous' }, openly).refusal).toBe(
      'token-missing',
    );
  });
});
