import { event } from '../foundation/events.js';
import type { Credential } from '../access/caller.js';
import { granted, invited, joined, keyed } from '../groups/testing/events.js';
import { isRefusal } from '../kernel/refusal.js';
import { EVERYONE, OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { apiKeyCommands, type CreateApiKey } from './commands.js';
import { apiKeyReads, listApiKeys } from './reads.js';

const { CreateApiKey, DeleteApiKey, UpdateApiKey } = apiKeyCommands;
const ALICE = 'UserID_alice';
const BOB = 'UserID_bob';
const STRANGER = 'UserID_stranger';

/** A drive with the contacts alice and bob, a key each. */
const members = () => new SpecDrive().given(joined('alice'), joined('bob'));

const create = (more: Partial<CreateApiKey> = {}): CreateApiKey => ({
  name: 'Key',
  fresh: {
    api_key_id: 'ApiKeyID_1',
    value: 'the-token',
    digest: 'digest-1',
    last4: 'oken',
  },
  ...more,
});

const mayMake = (user: string) =>
  granted('SystemPermissionID_create', user, 'TABLE_API_KEYS', 'CREATE');

/** An expiring key of the user, with the credential of a call with it. */
const ending = (user_id: string, expires_at: number) =>
  keyed('ApiKeyID_ending', user_id, 'digest-of-ending', {
    name: 'Ending',
    last4: 'ding',
    expires_at,
  });
const withEnding: Credential = { kind: 'api_key', digest: 'digest-of-ending' };

describe('CreateApiKey', () => {
  it('creates a key for the caller, valid from now without expiry, and shows the token once', () => {
    const drive = members();
    const now = drive.now;
    const { answer, allowed_by } = drive.when(CreateApiKey, ALICE, create());
    expect(allowed_by).toEqual(['SELF']);
    expect(answer).toEqual({
      id: 'ApiKeyID_1',
      value: 'the-token',
      user_id: ALICE,
      name: 'Key',
      private_note: null,
      created_at: now,
      begins_at: now,
      expires_at: -1,
      is_revoked: false,
      labels: [],
      external_id: null,
      external_payload: null,
      user_name: 'alice',
      permission_previews: [],
    });
    const key = drive.state.api_keys.get('ApiKeyID_1')!;
    expect(key).toMatchObject({ digest: 'digest-1', created_by: ALICE });
    expect(apiKeyReads.present(drive.context(ALICE), key).value).toBe('sk_...oken');
  });

  it('puts the token into no event, and masks it in a repeated answer', () => {
    const drive = members();
    const { events } = drive.when(CreateApiKey, ALICE, create());
    expect(JSON.stringify(events)).not.toContain('the-token');
    const context = { ...drive.context(ALICE), masked: true };
    expect(CreateApiKey.answer(context, create(), events).value).toBe('sk_...oken');
  });

  it('stores all given fields', () => {
    const given = {
      id: 'ApiKeyID_mine',
      begins_at: T0 + 5000,
      expires_at: T0 + 9000,
      private_note: 'n',
      external_id: 'x',
      external_payload: 'y',
    };
    expect(members().when(CreateApiKey, ALICE, create(given)).answer).toMatchObject(given);
  });

  it('is allowed to every contact for themselves, and to no other users', () => {
    expect(members().when(CreateApiKey, STRANGER, create()).refusal).toBe('forbidden');
  });

  it('lets the owner and holders of CREATE create keys for others', () => {
    const drive = members();
    const command = create({ user_id: BOB });
    expect(drive.when(CreateApiKey, ALICE, command).refusal).toBe('forbidden');
    drive.given(mayMake(ALICE));
    const { answer, allowed_by } = drive.when(CreateApiKey, ALICE, command);
    expect(allowed_by).toEqual(['SystemPermissionID_create']);
    expect(answer).toMatchObject({ user_id: BOB, user_name: 'bob' });
    expect(members().when(CreateApiKey, OWNER, command).allowed_by).toEqual(['OWNER']);
  });

  it('names grant and membership if the permission comes through a group', () => {
    const drive = members().given(mayMake(EVERYONE));
    const { allowed_by } = drive.when(CreateApiKey, ALICE, create({ user_id: BOB }));
    expect(allowed_by).toEqual(['SystemPermissionID_create', 'GroupInviteID_alice']);
  });

  it('refuses other users a key for the owner', () => {
    const drive = members().given(mayMake(ALICE));
    expect(drive.when(CreateApiKey, ALICE, create({ user_id: OWNER })).refusal).toBe('forbidden');
    expect(drive.when(CreateApiKey, OWNER, create({ user_id: OWNER })).refusal).toBeNull();
  });

  it('refuses other users a key for the pending owner while the transfer is pending', () => {
    const day_ms = 24 * 3_600_000;
    const drive = members().given(
      mayMake(ALICE),
      event('OwnershipTransferRequested', { next_owner_id: BOB }),
    );
    for (const caller of [ALICE, OWNER])
      expect(drive.when(CreateApiKey, caller, create({ user_id: BOB })).refusal).toBe('forbidden');
    expect(drive.when(CreateApiKey, BOB, create()).refusal).toBeNull();
    drive.after(8 * day_ms);
    const later = create({ user_id: BOB, id: 'ApiKeyID_later' });
    expect(drive.when(CreateApiKey, ALICE, later).refusal).toBeNull();
  });

  it('refuses a user who is not a contact', () => {
    const command = create({ user_id: STRANGER });
    expect(members().when(CreateApiKey, OWNER, command).refusal).toBe('contact-not-found');
    expect(members().when(CreateApiKey, ALICE, command).refusal).toBe('forbidden');
  });

  it('accepts 0 and -1 for never, and refuses an expiry that is not in the future', () => {
    const drive = members();
    const at = (expires_at: number) => create({ expires_at, id: `ApiKeyID_${drive.now}` });
    expect(drive.when(CreateApiKey, ALICE, at(0)).answer!.expires_at).toBe(-1);
    expect(drive.when(CreateApiKey, ALICE, at(-1)).answer!.expires_at).toBe(-1);
    expect(drive.when(CreateApiKey, ALICE, at(drive.now)).refusal).toBe('invalid-field');
    expect(drive.when(CreateApiKey, ALICE, at(drive.now + 1)).refusal).toBeNull();
  });

  it('refuses the id of a live and of a deleted key', () => {
    const drive = members();
    const command = create({ id: 'ApiKeyID_mine' });
    drive.when(CreateApiKey, ALICE, command);
    expect(drive.when(CreateApiKey, ALICE, command).refusal).toBe('id-in-use');
    drive.when(DeleteApiKey, ALICE, { id: 'ApiKeyID_mine' });
    expect(drive.when(CreateApiKey, ALICE, command).refusal).toBe('id-in-use');
  });

  it.each([ALICE, OWNER])(
    'with an expiring key of %s, creates no key that expires later',
    (user) => {
      const end = T0 + 60_000;
      const drive = members().given(ending(user, end));
      const until = (expires_at?: number) =>
        drive.when(CreateApiKey, withEnding, create({ expires_at, id: `ApiKeyID_${drive.now}` }));
      expect(until().refusal).toBe('ceiling');
      expect(until(-1).refusal).toBe('ceiling');
      expect(until(end + 1).refusal).toBe('ceiling');
      expect(until(end).refusal).toBeNull();
    },
  );
});

describe('UpdateApiKey', () => {
  it('changes only the given fields', () => {
    const drive = members();
    drive.when(CreateApiKey, ALICE, create({ private_note: 'n' }));
    const { answer, allowed_by } = drive.when(UpdateApiKey, ALICE, {
      id: 'ApiKeyID_1',
      name: 'Other',
      expires_at: T0 + 9000,
    });
    expect(allowed_by).toEqual(['SELF']);
    expect(answer).toMatchObject({
      name: 'Other',
      expires_at: T0 + 9000,
      private_note: 'n',
      value: 'sk_...oken',
    });
  });

  it('is allowed to the key’s user and the owner', () => {
    const command = { id: 'ApiKeyID_alice', name: 'Other' };
    expect(members().when(UpdateApiKey, OWNER, command).allowed_by).toEqual(['OWNER']);
    const drive = members().given(
      granted('SystemPermissionID_all', BOB, 'TABLE_API_KEYS', 'CREATE', 'EDIT', 'DELETE'),
    );
    expect(drive.when(UpdateApiKey, BOB, command).refusal).toBe('forbidden');
  });

  it('refuses an unknown key, an empty change and a past expiry', () => {
    const drive = members();
    const id = 'ApiKeyID_alice';
    expect(drive.when(UpdateApiKey, ALICE, { id: 'ApiKeyID_x', name: 'y' }).refusal).toBe(
      'api-key-not-found',
    );
    expect(drive.when(UpdateApiKey, ALICE, { id }).refusal).toBe('nothing-to-update');
    expect(drive.when(UpdateApiKey, ALICE, { id, expires_at: T0 }).refusal).toBe('invalid-field');
    expect(drive.when(UpdateApiKey, ALICE, { id, expires_at: 0 }).answer!.expires_at).toBe(-1);
  });

  it('revokes at once, and only the owner can restore the key', () => {
    const drive = members();
    const id = 'ApiKeyID_alice';
    const with_key: Credential = { kind: 'api_key', digest: 'digest-of-alice' };
    expect(drive.when(UpdateApiKey, with_key, { id, is_revoked: false }).refusal).toBeNull();
    drive.when(UpdateApiKey, ALICE, { id, is_revoked: true });
    expect(() => drive.context(with_key)).toThrow('unauthenticated');
    const revive = { id, name: 'x', is_revoked: false };
    expect(drive.when(UpdateApiKey, ALICE, revive).refusal).toBe('forbidden');
    expect(drive.when(UpdateApiKey, ALICE, { id, name: 'x' }).refusal).toBeNull();
    expect(drive.when(UpdateApiKey, OWNER, revive).answer).toMatchObject({ is_revoked: false });
    expect(drive.context(with_key).caller.user_id).toBe(ALICE);
  });

  it.each([ALICE, OWNER])('with an expiring key of %s, sets no later expiry', (user) => {
    const end = T0 + 60_000;
    const drive = members().given(ending(user, end));
    const id = user === ALICE ? 'ApiKeyID_alice' : 'ApiKeyID_ending';
    const until = (expires_at: number) =>
      drive.when(UpdateApiKey, withEnding, { id, expires_at }).refusal;
    expect(until(-1)).toBe('ceiling');
    expect(until(0)).toBe('ceiling');
    expect(until(end + 1)).toBe('ceiling');
    expect(until(end)).toBeNull();
    expect(drive.when(UpdateApiKey, withEnding, { id, name: 'x' }).refusal).toBeNull();
  });

  it('with an expiring key, restores no key that expires later', () => {
    const end = T0 + 60_000;
    const drive = members().given(ending(OWNER, end));
    const id = 'ApiKeyID_alice';
    drive.when(UpdateApiKey, OWNER, { id, is_revoked: true });
    const revive = { id, is_revoked: false };
    expect(drive.when(UpdateApiKey, withEnding, revive).refusal).toBe('ceiling');
    const until_then = { ...revive, expires_at: end };
    expect(drive.when(UpdateApiKey, withEnding, until_then).refusal).toBeNull();
    drive.when(UpdateApiKey, OWNER, { id, is_revoked: true });
    expect(drive.when(UpdateApiKey, withEnding, revive).refusal).toBeNull();
  });
});

describe('DeleteApiKey', () => {
  it('removes the key and the grants on it; a key may delete itself', () => {
    const drive = members().given(granted('SystemPermissionID_v', BOB, 'ApiKeyID_alice', 'VIEW'));
    const with_key: Credential = { kind: 'api_key', digest: 'digest-of-alice' };
    const id = 'ApiKeyID_alice';
    const decision = DeleteApiKey.decide(drive.context(with_key), { id });
    expect(decision).toMatchObject({ allowed_by: ['SELF'] });
    drive.when(DeleteApiKey, OWNER, { id });
    expect(drive.state.system_permissions.has('SystemPermissionID_v')).toBe(false);
    expect(() => drive.context(with_key)).toThrow('unauthenticated');
    expect(drive.when(DeleteApiKey, ALICE, { id }).refusal).toBe('api-key-not-found');
  });

  it('is allowed to the key’s user and the owner', () => {
    const drive = members();
    const command = { id: 'ApiKeyID_alice' };
    expect(drive.when(DeleteApiKey, BOB, command).refusal).toBe('forbidden');
    expect(drive.when(DeleteApiKey, OWNER, command)).toMatchObject({
      allowed_by: ['OWNER'],
      answer: { id: 'ApiKeyID_alice', deleted: true },
    });
  });
});

describe('reading api keys', () => {
  it.each([
    [ALICE, ['ApiKeyID_alice']],
    [OWNER, ['ApiKeyID_alice', 'ApiKeyID_bob']],
    [STRANGER, []],
  ])('shows to %s their own, to the owner all', (user, expected) => {
    const drive = members();
    const context = drive.context(user);
    const keys = [...drive.state.api_keys.values()];
    const readable = keys.filter((key) => apiKeyReads.mayRead(context, key));
    expect(readable.map(({ id }) => id)).toEqual(expected);
    const visible = apiKeyReads.visible(context);
    const listed = keys.filter(
      (key) => visible === 'all' || visible.some(({ among }) => among.has(key.user_id)),
    );
    expect(listed).toEqual(readable);
  });

  it('shows the private note to the key’s user and the owner only', () => {
    const drive = members().given(granted('SystemPermissionID_v', BOB, 'TABLE_API_KEYS', 'VIEW'));
    drive.when(CreateApiKey, ALICE, create({ private_note: 'n' }));
    const noteFor = (user: string) => {
      const listed = listApiKeys(drive.context(user), ALICE);
      if (isRefusal(listed)) throw new Error(listed.refusal);
      return listed[0]!.private_note;
    };
    expect([ALICE, OWNER, BOB].map(noteFor)).toEqual(['n', 'n', null]);
  });

  it('lists a user’s keys newest first to the user, the owner and holders of VIEW', () => {
    const drive = members();
    drive.when(CreateApiKey, ALICE, create());
    const list = (caller: string, user = ALICE) => {
      const listed = listApiKeys(drive.context(caller), user);
      return isRefusal(listed) ? listed.refusal : listed.map(({ id }) => id);
    };
    const both = ['ApiKeyID_1', 'ApiKeyID_alice'];
    expect(list(ALICE)).toEqual(both);
    expect(list(OWNER)).toEqual(both);
    expect(list(OWNER, STRANGER)).toEqual([]);
    expect(list(BOB)).toBe('forbidden');
    drive.given(granted('SystemPermissionID_one', BOB, 'ApiKeyID_alice', 'VIEW'));
    expect(list(BOB)).toEqual(['ApiKeyID_alice']);
    drive.given(granted('SystemPermissionID_table', BOB, 'TABLE_API_KEYS', 'VIEW'));
    expect(list(BOB)).toEqual(both);
  });

  it('shows the key’s user by the contact’s name or else its id; null without a contact', () => {
    const drive = members().given(
      event('ContactUpdated', { contact_id: ALICE, subject_key_id: 'subject-alice', name: '' }),
      invited('GroupInviteID_b2', EVERYONE, STRANGER),
    );
    const context = drive.context(OWNER);
    const key = drive.state.api_keys.get('ApiKeyID_alice')!;
    expect(apiKeyReads.present(context, key).user_name).toBe(ALICE);
    const foreign = { ...key, user_id: STRANGER };
    expect(apiKeyReads.present(context, foreign).user_name).toBeNull();
  });
});
