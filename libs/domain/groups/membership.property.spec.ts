import type { RecordBase } from '../kernel/record.js';
import * as fc from 'fast-check';
import { activeInvites, membershipOf } from '../access/principals.js';
import { isRefusal } from '../kernel/refusal.js';
import { OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { inviteCommands } from './definitions.js';
import { inviteReads, invitesOfGroup } from './invites-reads.js';
import { Access } from '../access/access.js';
import { groupReads } from './reads.js';
import type { Invite, Role } from './record.js';
import { granted, grouped, invited } from './testing/events.js';
import { validateMembership } from './validate.js';
import type { Visibility } from '../foundation/reading.js';

const GROUPS = ['GroupID_a', 'GroupID_b', 'GroupID_c'];
const USERS = ['UserID_a', 'UserID_b', 'UserID_c', 'UserID_d'];
const TYPES = ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'] as const;

const moment = fc.integer({ min: T0 - 3, max: T0 + 12 });
const anInvite = fc.record({
  group_id: fc.constantFrom(...GROUPS),
  invitee_id: fc.constantFrom(...USERS, 'PUBLIC', 'PlaceholderGroupInviteeID_1'),
  inviter_id: fc.constantFrom(...USERS),
  role: fc.constantFrom<Role>('ADMIN', 'MEMBER'),
  active_from: fc.oneof(fc.constant(0), moment),
  expires_at: fc.oneof(fc.constant(-1), moment),
});
const aGrant = fc.record({
  granted_to: fc.constantFrom(...USERS, ...GROUPS, 'PUBLIC'),
  resource_id: fc.constantFrom(...GROUPS, 'TABLE_GROUPS'),
  type: fc.constantFrom(...TYPES),
});

/** A drive with three groups of two owners, random invites and random grants, at a random moment. */
const aDrive = fc
  .record({
    invites: fc.array(anInvite, { size: 'max', maxLength: 25 }),
    grants: fc.array(aGrant, { size: 'max', maxLength: 4 }),
    later_ms: fc.integer({ min: 0, max: 15 }),
  })
  .map(({ invites, grants, later_ms }) => {
    const drive = new SpecDrive().given(
      ...GROUPS.map((id, at) => grouped(id, at === 0 ? OWNER : USERS[0])),
      ...invites.map(({ group_id, invitee_id, ...fields }, at) =>
        invited(`GroupInviteID_${at}`, group_id, invitee_id, fields),
      ),
      ...grants.map(({ granted_to, resource_id, type }, at) =>
        granted(`SystemPermissionID_${at}`, granted_to, resource_id, type),
      ),
    );
    drive.now = T0 + later_ms;
    const description = JSON.stringify({ invites, grants, later_ms });
    return Object.assign(drive, { [fc.toStringMethod]: () => description });
  });

/** A direct, slow implementation of the contract. */
function counts(invite: Invite, now: number): boolean {
  return invite.active_from <= now && (invite.expires_at <= 0 || invite.expires_at > now);
}

function admits(drive: SpecDrive, group_id: string, user_id: string, role?: Role): boolean {
  if (drive.state.groups.get(group_id)!.owner === user_id) return true;
  return [...drive.state.invites.values()].some(
    (invite) =>
      invite.group_id === group_id &&
      invite.invitee_id === user_id &&
      (!role || invite.role === role) &&
      counts(invite, drive.now),
  );
}

function shows(visibility: Visibility, record: RecordBase): boolean {
  if (visibility === 'all') return true;
  const fields = record as unknown as Record<string, string>;
  return visibility.some(({ field, among }) => among.has(fields[field]!));
}

const everyPair = GROUPS.flatMap((group_id) => USERS.map((user_id) => ({ group_id, user_id })));

describe('for any invites and windows', () => {
  it('all queries of membership agree with the contract', () => {
    fc.assert(
      fc.property(aDrive, (drive) => {
        for (const { group_id, user_id } of everyPair) {
          const expected = admits(drive, group_id, user_id);
          const answer = validateMembership(drive.context(OWNER), { group_id, user_id });
          expect(answer).toEqual({ is_member: expected, group_id, user_id });
          expect(new Access(drive.state, user_id, drive.now).grantees.has(group_id)).toBe(expected);
          expect(membershipOf(drive.state, group_id, user_id, drive.now, 'ADMIN') !== null).toBe(
            admits(drive, group_id, user_id, 'ADMIN'),
          );
        }
      }),
    );
  });

  it('lists show exactly the readable records', () => {
    fc.assert(
      fc.property(aDrive, fc.constantFrom(OWNER, ...USERS, 'UserID_nobody'), (drive, who) => {
        const context = drive.context(who);
        const invites = inviteReads.visible(context);
        for (const invite of drive.state.invites.values())
          expect(shows(invites, invite)).toBe(inviteReads.mayRead(context, invite));
        const groups = groupReads.visible(context);
        for (const group of drive.state.groups.values()) {
          const may_read = groupReads.mayRead(context, group);
          expect(shows(groups, group)).toBe(may_read);
          expect(isRefusal(invitesOfGroup(context, group.id))).toBe(!may_read);
        }
      }),
    );
  });

  it('a code is shown to exactly the callers who could have created the invite', () => {
    fc.assert(
      fc.property(aDrive, fc.constantFrom(...USERS), (drive, who) => {
        const context = drive.context(who);
        const access = Access.of(context);
        for (const invite of drive.state.invites.values()) {
          const coded = { ...invite, redeem_code: 'code', redeem_digest: 'digest' };
          const might_make =
            invite.inviter_id === who ||
            admits(drive, invite.group_id, who, 'ADMIN') ||
            access.can(invite.role === 'ADMIN' ? 'EDIT' : 'INVITE', invite.group_id);
          const hidden = might_make ? 'code' : null;
          const expected = invite.invitee_id === 'PUBLIC' ? 'PUBLIC' : hidden;
          expect(inviteReads.present(context, coded).redeem_code).toBe(expected);
        }
      }),
    );
  });

  it('deleting an invite does not change other memberships', () => {
    fc.assert(
      fc.property(aDrive, fc.constantFrom(OWNER, ...USERS), fc.nat(30), (drive, who, nth) => {
        const invite = [...drive.state.invites.values()][nth % drive.state.invites.size]!;
        const before = everyPair.map(({ group_id, user_id }) =>
          activeInvites(drive.state, group_id, user_id, drive.now).map(({ id }) => id),
        );
        const now = drive.now;
        const { events } = drive.when(inviteCommands.DeleteInvite, who, { id: invite.id });
        everyPair.forEach(({ group_id, user_id }, at) => {
          if (group_id === invite.group_id && user_id === invite.invitee_id && events.length > 0)
            return;
          const after = activeInvites(drive.state, group_id, user_id, now).map(({ id }) => id);
          expect(after).toEqual(before[at]);
        });
      }),
    );
  });

  it('redeeming a public invite within its window makes a member, once', () => {
    fc.assert(
      fc.property(aDrive, fc.constantFrom(...USERS, 'UserID_new'), (drive, who) => {
        const open = [...drive.state.invites.values()].find(
          (invite) => invite.invitee_id === 'PUBLIC' && counts(invite, drive.now),
        );
        fc.pre(open !== undefined);
        const redeem = {
          invite_id: open.id,
          redeem_code: 'PUBLIC',
          redeem_digest: '',
          fresh: { invite_id: 'GroupInviteID_fresh', subject_key_id: 'subject-fresh' },
        };
        const now = drive.now;
        expect(drive.when(inviteCommands.RedeemInvite, who, redeem).refusal).toBeNull();
        drive.now = now;
        expect(admits(drive, open.group_id, who)).toBe(true);
        const { events } = drive.when(inviteCommands.RedeemInvite, who, redeem);
        expect(events).toEqual([]);
      }),
    );
  });
});
