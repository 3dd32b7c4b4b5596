import { event, type DomainEvent } from '../foundation/events.js';
import { apiKeyCommands } from '../api-keys/commands.js';
import { contacted, invited, keyed } from '../groups/testing/events.js';
import { EVERYONE, OWNER, SpecDrive } from '../testing/drive.js';
import { organizationCommands } from './commands.js';

const { TransferOwnership } = organizationCommands;
const NEXT = 'UserID_next';
const THIRD = 'UserID_third';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const fresh = { subject_key_id: 'subject-fresh', everyone_invite_id: 'GroupInviteID_fresh' };
const to = (next_owner_id: string) => ({ next_owner_id, fresh });
const cancel = { cancel: true, fresh };

const contact = (contact_id: string, code = '') =>
  contacted(contact_id, {
    name: 'Somebody',
    redeem_code: code,
    redeem_digest: code && `digest-of-${code}`,
    code_ends_on_sign_in: code !== '',
    everyone_invite_id: `GroupInviteID_${contact_id}`,
    everyone_inviter_id: OWNER,
  });

const key = (api_key_id: string, created_by: string | null, user_id = NEXT) =>
  keyed(api_key_id, user_id, `digest-${api_key_id}`, { created_by });

/** A drive that NEXT may take over now. */
function ready(...facts: readonly DomainEvent[]): SpecDrive {
  const drive = new SpecDrive().given(...facts);
  drive.when(TransferOwnership, OWNER, to(NEXT));
  return drive.after(DAY_MS);
}

describe('TransferOwnership', () => {
  it('is requested first, and ready a day later', () => {
    const drive = new SpecDrive();
    const { answer, allowed_by, events } = drive.when(TransferOwnership, OWNER, to(NEXT));
    expect(allowed_by).toEqual(['OWNER']);
    expect(events).toEqual([event('OwnershipTransferRequested', { next_owner_id: NEXT })]);
    const requested_ms = drive.state.organization.pending_since_ms;
    expect(answer).toEqual({ status: 'REQUESTED', ready_ms: requested_ms + DAY_MS });
    expect(drive.state.organization).toMatchObject({ owner_id: OWNER, pending_owner_id: NEXT });
  });

  it('refuses the former id of the next owner, who need not be a contact', () => {
    const drive = new SpecDrive();
    drive.when(TransferOwnership, OWNER, to(NEXT));
    const swap = { current_user_id: NEXT, new_user_id: 'UserID_new' };
    expect(drive.when(organizationCommands.SuperswapUser, OWNER, swap).refusal).toBeNull();
    drive.after(DAY_MS);
    expect(drive.when(TransferOwnership, OWNER, to(NEXT)).refusal).toBe('former-user-id');
    expect(drive.when(TransferOwnership, OWNER, to(THIRD)).answer!.status).toBe('REQUESTED');
    // The one whose id it was is not the next owner any more.
    expect(drive.when(TransferOwnership, OWNER, to(NEXT)).answer!.status).toBe('REQUESTED');
  });

  it('does not restart the waiting time if repeated too early', () => {
    const drive = new SpecDrive();
    const first = drive.when(TransferOwnership, OWNER, to(NEXT));
    drive.now = first.answer!.ready_ms - 1;
    const second = drive.when(TransferOwnership, OWNER, to(NEXT));
    expect(second).toMatchObject({ events: [], answer: first.answer });
  });

  it('completes if repeated once ready', () => {
    const drive = new SpecDrive();
    drive.now = drive.when(TransferOwnership, OWNER, to(NEXT)).answer!.ready_ms;
    const { answer, events } = drive.when(TransferOwnership, OWNER, to(NEXT));
    expect(events.map(({ type }) => type)).toEqual(['OwnershipTransferred']);
    expect(answer).toEqual({ status: 'COMPLETED', ready_ms: drive.state.timestamp_ms });
    expect(drive.state.organization).toMatchObject({
      owner_id: NEXT,
      pending_owner_id: null,
      pending_since_ms: 0,
    });
    expect(drive.when(TransferOwnership, OWNER, to(OWNER)).refusal).toBe('forbidden');
    expect(drive.when(TransferOwnership, NEXT, to(OWNER)).refusal).toBeNull();
  });

  it('restarts for another user', () => {
    const drive = ready();
    const { answer } = drive.when(TransferOwnership, OWNER, to(THIRD));
    expect(answer!.status).toBe('REQUESTED');
    expect(drive.state.organization).toMatchObject({ owner_id: OWNER, pending_owner_id: THIRD });
    expect(drive.when(TransferOwnership, OWNER, to(NEXT)).answer!.status).toBe('REQUESTED');
  });

  it('lapses a week after it was ready, for completing and for cancelling', () => {
    const drive = ready();
    drive.now = drive.state.organization.pending_since_ms + 8 * DAY_MS - 1;
    const decided = TransferOwnership.decide(drive.context(OWNER), to(NEXT));
    expect(decided).toMatchObject({ events: [{ type: 'OwnershipTransferred' }] });
    drive.after(1);
    expect(drive.when(TransferOwnership, OWNER, cancel).refusal).toBe('no-pending-transfer');
    const { answer } = drive.when(TransferOwnership, OWNER, to(NEXT));
    expect(answer!.status).toBe('REQUESTED');
  });

  it('can be cancelled, once', () => {
    const drive = ready();
    const { answer } = drive.when(TransferOwnership, OWNER, cancel);
    expect(answer).toEqual({ status: 'CANCELLED', ready_ms: -1 });
    expect(drive.state.organization.pending_owner_id).toBeNull();
    expect(drive.when(TransferOwnership, OWNER, cancel).refusal).toBe('no-pending-transfer');
    expect(drive.when(TransferOwnership, OWNER, to(NEXT)).answer!.status).toBe('REQUESTED');
  });

  it('requires either a user or a cancellation', () => {
    const drive = new SpecDrive();
    expect(drive.when(TransferOwnership, OWNER, { fresh }).refusal).toBe('invalid-field');
    const both = { ...to(NEXT), cancel: true };
    expect(drive.when(TransferOwnership, OWNER, both).refusal).toBe('invalid-field');
    const not_cancelled = { ...to(NEXT), cancel: false };
    expect(drive.when(TransferOwnership, OWNER, not_cancelled).refusal).toBeNull();
  });

  it('refuses the owner as next owner, and other callers than the owner', () => {
    const drive = ready();
    expect(drive.when(TransferOwnership, OWNER, to(OWNER)).refusal).toBe('already-owner');
    expect(drive.when(TransferOwnership, NEXT, to(NEXT)).refusal).toBe('forbidden');
    expect(drive.when(TransferOwnership, NEXT, cancel).refusal).toBe('forbidden');
  });

  it('refuses the former id of a contact', () => {
    const drive = new SpecDrive().given(
      contact('UserID_old'),
      event('UserSuperswapped', {
        current_user_id: 'UserID_old',
        new_user_id: NEXT,
        updated_count: 1,
      }),
    );
    expect(drive.when(TransferOwnership, OWNER, to('UserID_old')).refusal).toBe('former-user-id');
  });
});

describe('a completed transfer causes', () => {
  it('a contact for the new owner, and the Group for All with an ADMIN invite', () => {
    const drive = ready();
    drive.when(TransferOwnership, OWNER, to(NEXT));
    expect(drive.state.contacts.get(NEXT)).toMatchObject({
      name: '',
      subject_key_id: 'subject-fresh',
      created_by: null,
    });
    expect(drive.state.groups.get(EVERYONE)!.owner).toBe(NEXT);
    expect(drive.state.invites.get('GroupInviteID_fresh')).toMatchObject({
      group_id: EVERYONE,
      invitee_id: NEXT,
      role: 'ADMIN',
      expires_at: -1,
    });
  });

  it('no second contact and no second ADMIN invite', () => {
    const drive = ready(
      contact(NEXT),
      invited('GroupInviteID_admin', EVERYONE, NEXT, { role: 'ADMIN' }),
    );
    drive.when(TransferOwnership, OWNER, to(NEXT));
    expect(drive.state.contacts.get(NEXT)!.name).toBe('Somebody');
    expect(drive.state.invites.has('GroupInviteID_fresh')).toBe(false);
  });

  it('an ADMIN invite if the only one has expired', () => {
    const over = { role: 'ADMIN', expires_at: 1 } as const;
    const drive = ready(invited('GroupInviteID_over', EVERYONE, NEXT, over));
    drive.when(TransferOwnership, OWNER, to(NEXT));
    expect(drive.state.invites.has('GroupInviteID_fresh')).toBe(true);
  });

  it('the end of all codes by which another user could become owner', () => {
    const drive = ready(contact(NEXT, 'RedeemTokenID_next'));
    drive.when(TransferOwnership, OWNER, to(NEXT));
    expect(drive.state.contacts.get(NEXT)).toMatchObject({
      redeem_code: '',
      redeem_digest: '',
      code_ends_on_sign_in: false,
    });
    expect(drive.state.organization).toMatchObject({
      spawn_redeem_code: '',
      spawn_redeem_digest: '',
    });
  });

  it('the end of the new owner’s keys created by third parties', () => {
    const drive = ready(
      contact(NEXT),
      key('ApiKeyID_service', null),
      key('ApiKeyID_own', NEXT),
      key('ApiKeyID_old_owner', OWNER),
      key('ApiKeyID_third', THIRD),
      key('ApiKeyID_of_third', THIRD, THIRD),
    );
    drive.when(TransferOwnership, OWNER, to(NEXT));
    const revoked = [...drive.state.api_keys.values()].filter(({ is_revoked }) => is_revoked);
    expect(revoked.map(({ id }) => id)).toEqual(['ApiKeyID_third']);
  });

  it('the end of the new owner’s keys made with keys of third parties, also of deleted ones', () => {
    const { CreateApiKey, DeleteApiKey } = apiKeyCommands;
    const drive = ready(contact(NEXT), key('ApiKeyID_third', THIRD), key('ApiKeyID_own', NEXT));
    const make = (name: string, by: string) =>
      drive.when(
        CreateApiKey,
        { kind: 'api_key', digest: `digest-ApiKeyID_${by}` },
        {
          name,
          fresh: {
            api_key_id: `ApiKeyID_${name}`,
            value: name,
            digest: `digest-ApiKeyID_${name}`,
            last4: 'last',
          },
        },
      );
    for (const [name, by] of [
      ['second', 'third'],
      ['fourth', 'second'],
      ['owns', 'own'],
    ] as const)
      expect(make(name, by).refusal).toBeNull();
    for (const id of ['ApiKeyID_third', 'ApiKeyID_second']) drive.when(DeleteApiKey, NEXT, { id });
    drive.when(TransferOwnership, OWNER, to(NEXT));
    expect(drive.state.organization.owner_id).toBe(NEXT);
    const states = [...drive.state.api_keys.values()].map((one) => [one.id, one.is_revoked]);
    expect(Object.fromEntries(states)).toEqual({
      ApiKeyID_own: false,
      ApiKeyID_fourth: true,
      ApiKeyID_owns: false,
    });
  });

  it('no change to contact, membership, keys and other groups of the former owner', () => {
    const drive = ready(
      key('ApiKeyID_former', null, OWNER),
      event('GroupCreated', {
        group_id: 'GroupID_other',
        owner: OWNER,
        admin_invite_id: 'GroupInviteID_other',
        name: 'Other',
        avatar: '',
        public_note: '',
        private_note: '',
        host_url: '',
        external_id: null,
        external_payload: null,
      }),
    );
    drive.when(TransferOwnership, OWNER, to(NEXT));
    expect(drive.state.contacts.has(OWNER)).toBe(true);
    expect(drive.state.api_keys.get('ApiKeyID_former')!.is_revoked).toBe(false);
    expect(drive.state.invites.get('GroupInviteID_owner')).toMatchObject({ invitee_id: OWNER });
    expect(drive.state.groups.get('GroupID_other')!.owner).toBe(OWNER);
  });

  it('no error if the Group for All was deleted', () => {
    const drive = ready(event('GroupDeleted', { group_id: EVERYONE }));
    expect(drive.when(TransferOwnership, OWNER, to(NEXT)).answer!.status).toBe('COMPLETED');
  });
});
