import { RECORD_KINDS } from '../drive/record-kinds.js';
import type { DriveState } from '../foundation/state.js';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { directoryNode } from '../access/resources.js';
import {
  FOLDERS,
  GROUPS,
  RandomDrive,
  type Step,
  steps,
  SYSTEM_RESOURCES,
  USERS,
} from '../access/testing/random-drive.js';
import { SlowModel } from '../access/testing/slow-model.js';
import type { TouchedKey } from '../kernel/undo-log.js';
import {
  type AccessChange,
  AccessDiff,
  type ChangedRecord,
  type DiffPlace,
  type Moment,
} from './diff.js';
import { EVERYONE, OWNER } from '../testing/drive.js';
import { isDirectoryId } from './held.js';
import { Identities } from './identity.js';
import { HeldGrants } from './held-grants.js';
import { type HeldInterval, Timeline } from './timeline.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 60);
const HOLDERS = [...USERS, ...GROUPS, 'PUBLIC'];
const RESOURCES = [...FOLDERS.slice(0, 6), ...SYSTEM_RESOURCES.slice(0, 8), 'GroupInviteID_0'];
/** Time of the queries after the last change; all windows have ended by then. */
const AFTERWARDS_MS = 12;

/** Without rollbacks, which a stream does not contain. */
const stream = steps.map((taken) => taken.filter(({ step }) => step !== 'undo'));

function run(taken: readonly Step[], watch?: ConstructorParameters<typeof RandomDrive>[0]) {
  const drive = new RandomDrive(watch);
  for (const step of taken) drive.take(step);
  return drive.state;
}

function slowTypes(model: SlowModel, who: string, resource: string, now: number): string[] {
  return isDirectoryId(resource)
    ? model.directoryTypes(who, resource, now)
    : model.systemTypes(who, resource, now);
}

interface Followed {
  readonly timeline: Timeline;
  readonly who: string;
  readonly resource: string;
  /** Results of the slow model at each step: revision, time, types. */
  readonly truth: (readonly [number, number, readonly string[]])[];
}

describe('a timeline', () => {
  it('agrees with the state at every revision, and at every time in between', () => {
    fc.assert(
      fc.property(stream, fc.nat(6), (taken, nth) => {
        const last = run(taken);
        const identities = new Identities(last);
        const followed: Followed[] = HOLDERS.flatMap((who, at) =>
          RESOURCES.filter((_, of) => (of + at) % 7 === nth).map((resource) => {
            const timeline = new Timeline(who, resource, identities, () => '');
            return { timeline, who, resource, truth: [] };
          }),
        );
        const observe = (state: DriveState, from_ms: number, to_ms: number): void => {
          if (state.revision < 0) return;
          const model = new SlowModel(state);
          for (let now = from_ms; now < to_ms; now++)
            for (const { who, resource, truth } of followed) {
              const then = identities.userThen(who, state.revision);
              const what = identities.resourceThen(resource, state.revision);
              truth.push([state.revision, now, slowTypes(model, then, what, now)]);
            }
        };
        const watch = {
          before(state: DriveState, timestamp_ms: number) {
            observe(state, state.timestamp_ms + 1, timestamp_ms);
            for (const { timeline } of followed) timeline.before(state, timestamp_ms);
          },
          after(state: DriveState, touched: readonly TouchedKey[]) {
            for (const { timeline } of followed) timeline.after(state, touched);
            observe(state, state.timestamp_ms, state.timestamp_ms + 1);
          },
        };
        const state = run(taken, watch);
        const now = state.timestamp_ms + AFTERWARDS_MS;
        observe(state, state.timestamp_ms + 1, now + 1);
        const differences: unknown[] = [];
        for (const { timeline, who, resource, truth } of followed) {
          const intervals = timeline.ended(state, now);
          for (const [revision, at, types] of truth) {
            const covering = intervals.filter((held) => covers(held, revision, at));
            const actual = covering.map(({ permission_type }) => permission_type).sort();
            if (actual.join() !== types.toSorted().join())
              differences.push({ who, resource, revision, at, actual, types, intervals });
          }
          if (intervals.some(({ because }) => because.length === 0)) differences.push({ who });
        }
        expect(differences.slice(0, 2)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('looks again only at grants that a change concerns, however many there are', () => {
    const update = jest.spyOn(HeldGrants.prototype, 'update');
    const resource = 'TABLE_CONTACTS';
    const identities = new Identities(new RandomDrive().state);
    const timeline = new Timeline('UserID_1', resource, identities, () => '');
    const drive = new RandomDrive({
      before: (state, timestamp_ms) => timeline.before(state, timestamp_ms),
      after: (state, touched) => timeline.after(state, touched),
    });
    for (let nth = 0; nth < 100; nth++) {
      const id = `GroupID_m${nth}`;
      drive.take({ step: 'group', id, owner: nth === 8 ? 'UserID_1' : OWNER });
      drive.take({
        ...{ step: 'invite', id: `GroupInviteID_m${nth}`, group_id: id, invitee_id: 'UserID_1' },
        ...{ role: 'MEMBER', active_from: 0, expires_at: -1 },
      });
      // Without a grant, a membership decides on nothing.
      if (nth % 2 === 0) continue;
      drive.take({
        ...{ step: 'system', id: `SystemPermissionID_${nth}`, resource_id: resource },
        ...{ granted_to: id, granted_by: OWNER, inheritable: false, permission_types: ['VIEW'] },
        ...{ begin_date_ms: 0, expiry_date_ms: -1 },
      });
    }
    const [held, ...others] = timeline.ended(drive.state, drive.state.timestamp_ms);
    expect(others).toEqual([]);
    expect(held).toMatchObject({ permission_type: 'VIEW', to_revision: -1 });
    expect(held!.because).toHaveLength(50);
    const looked_at = update.mock.calls.map(([, { size }]) => size);
    // At the first event there is none.
    expect(looked_at).toEqual([0, ...Array.from({ length: 50 }, () => 1)]);
  });

  it('looks at the grants to a group again only if the membership changes, whose invites it reads once', () => {
    const COUNT = 120;
    const update = jest.spyOn(HeldGrants.prototype, 'update').mockClear();
    const resource = 'TABLE_CONTACTS';
    const identities = new Identities(new RandomDrive().state);
    const newTimeline = () => new Timeline('UserID_1', resource, identities, () => '');
    const timeline = newTimeline();
    const drive = new RandomDrive({
      before: (state, timestamp_ms) => timeline.before(state, timestamp_ms),
      after: (state, touched) => timeline.after(state, touched),
    });
    const group_id = 'GroupID_m';
    drive.take({ step: 'group', id: group_id, owner: OWNER });
    for (let nth = 0; nth < COUNT; nth++)
      drive.take({
        ...{ step: 'system', id: `SystemPermissionID_${nth}`, resource_id: resource },
        ...{ granted_to: group_id, granted_by: OWNER, inheritable: false },
        ...{ permission_types: ['VIEW'], begin_date_ms: 0, expiry_date_ms: -1 },
      });
    for (let nth = 0; nth < COUNT; nth++)
      drive.take({
        ...{ step: 'invite', id: `GroupInviteID_m${nth}`, group_id, invitee_id: 'UserID_1' },
        ...{ role: 'MEMBER', active_from: 0, expires_at: 10_000 - nth },
      });
    const { state } = drive;
    const reads = jest.spyOn(state.invites, 'get');
    newTimeline().after(state, []);
    expect(reads.mock.calls.length).toBeLessThan(5 * COUNT);
    update.mock.calls.pop();
    // The oldest invite is the last to expire.
    const [held, ...others] = timeline.ended(state, 10_000);
    expect(others).toEqual([]);
    expect(held).toMatchObject({ permission_type: 'VIEW', to_ms: 10_000 });
    expect(held!.because).toHaveLength(100);
    const looked_at = update.mock.calls.map(([, { size }]) => size);
    expect(looked_at).toEqual([0, ...Array.from({ length: COUNT }, () => 1), COUNT, COUNT]);
  });
});

function covers(held: HeldInterval, revision: number, at_ms: number): boolean {
  const { from_revision, from_ms, to_revision, to_ms } = held;
  const has_begun = from_revision < revision || (from_revision === revision && from_ms <= at_ms);
  if (to_revision === -1) return has_begun;
  return has_begun && (revision < to_revision || (revision === to_revision && at_ms < to_ms));
}

/** Holds at any two points of random streams. */
function holdsBetween(check: (from: Moment, to: Moment) => void): void {
  fc.assert(
    fc.property(stream, fc.nat(0xffff), fc.nat(3), fc.nat(12), (taken, cut, from_ms, to_ms) => {
      const early = run(taken.slice(0, cut % (taken.length + 1)));
      const late = run(taken);
      const from = { state: early, now: early.timestamp_ms + from_ms };
      check(from, { state: late, now: Math.max(from.now, late.timestamp_ms + to_ms) });
    }),
    { numRuns: RUNS },
  );
}

/** All users under their id at the later point. A former id that nobody uses resolves to itself, and here to no user. */
function holdersSince(from: Moment, to: Moment): string[] {
  return HOLDERS.filter((who) => !wasSwappedAway(from, to, who) || isNamedAnywhere(to.state, who));
}

/** True if the user with this id at the earlier point has another one at the later point. */
function wasSwappedAway(from: Moment, to: Moment, who: string): boolean {
  const identities = new Identities(to.state);
  const { revision } = from.state;
  return identities.since(identities.userThen(who, revision), revision) !== who;
}

/** True if a user is a contact, or owns, grants, is granted or invited to anything. */
function isNamedAnywhere({ organization, ...state }: DriveState, who: string): boolean {
  const grants = [...state.system_permissions.values(), ...state.directory_permissions.values()];
  return (
    organization.owner_id === who ||
    [...state.contacts.values()].some(({ id }) => id === who) ||
    [...state.groups.values()].some(({ owner }) => owner === who) ||
    [...state.invites.values()].some(({ invitee_id }) => invitee_id === who) ||
    grants.some(({ granted_to, granted_by }) => [granted_to, granted_by].includes(who))
  );
}

/** The id at the earlier point; `''` if the id was another user's then. */
function idBefore(from: Moment, to: Moment, who: string): string {
  if (wasSwappedAway(from, to, who) && isNamedAnywhere(to.state, who)) return '';
  return new Identities(to.state).userThen(who, from.state.revision);
}

/** Types gained and lost by the model, for a grantee and resource with their ids at the later point. */
function slowChange(from: Moment, to: Moment, who: string, resource: string): string {
  const identities = new Identities(to.state);
  const { revision } = from.state;
  const who_then = idBefore(from, to, who);
  const resource_then = identities.resourceThen(resource, revision);
  const before = slowTypes(new SlowModel(from.state), who_then, resource_then, from.now);
  const after = slowTypes(new SlowModel(to.state), who, resource, to.now);
  return textOf(
    after.filter((type) => !before.includes(type)),
    before.filter((type) => !after.includes(type)),
  );
}

function textOf(gained: readonly string[], lost: readonly string[]): string {
  return `+${gained.join()} -${lost.join()}`;
}

const NOTHING = textOf([], []);

function changes(from: Moment, to: Moment, question: Parameters<AccessDiff['places']>[0]) {
  const diff = new AccessDiff(from, to, changedBetween(from.state, to.state), () => '');
  const places: DiffPlace[] = [];
  for (const place of diff.places(question)) if (place) places.push(place);
  return places.map((place) => diff.rowOf(place));
}

/** The records whose revision differs; their events are not known here. */
function changedBetween(from: DriveState, to: DriveState): ChangedRecord[] {
  return [...to.kinds.by_prefix.values()].flatMap(({ definition }) => {
    const [before, after] = [from, to].map((state) => {
      const records = [...state.table(definition.name)!.values()];
      return new Map(records.map(({ id, revision }) => [id, revision]));
    });
    const ids = [...new Set([...before!.keys(), ...after!.keys()])];
    return ids
      .filter((id) => before!.get(id) !== after!.get(id))
      .map((id) => ({ definition, id, revisions: [] }));
  });
}

describe('the difference of access between two points', () => {
  it('of a resource equals the difference of its holders', () => {
    expect.hasAssertions();
    holdsBetween((from, to) => {
      const holders = holdersSince(from, to);
      for (const resource_id of RESOURCES) {
        const rows = changes(from, to, { resource_id });
        const actual = rows
          .filter(({ grantee_id }) => holders.includes(grantee_id))
          .map(({ grantee_id, gained, lost }) => [grantee_id, textOf(gained, lost)]);
        // Users with only the permissions of PUBLIC have no row.
        const expected = holders.map((who) => [who, slowChange(from, to, who, resource_id)]);
        const named = expected.filter(([, text]) => text !== NOTHING);
        const by_name = named.filter(([who]) => isNamed(from, to, who!, resource_id));
        expect([resource_id, actual.sort()]).toEqual([resource_id, by_name.sort()]);
      }
    });
  });

  it('of a grantee, expanded from its roots, lists the change on every resource', () => {
    expect.hasAssertions();
    holdsBetween((from, to) => {
      const differences: unknown[] = [];
      const identities = new Identities(to.state);
      for (const who of HOLDERS) {
        const rows = new Map(
          changes(from, to, { grantee_id: who }).map((row) => [row.resource_root, row]),
        );
        for (const resource of [...FOLDERS, ...RECORD_KINDS.tables, ...SYSTEM_RESOURCES]) {
          if (!wasAndIsThere(from, to, resource)) continue;
          if (identities.since(resource, from.state.revision) !== resource) continue;
          const expected = slowChange(from, to, who, resource);
          const actual = readFrom(rows, from, to, resource);
          if (actual !== expected) differences.push({ who, resource, actual, expected });
        }
      }
      expect(differences.slice(0, 3)).toEqual([]);
    });
  });

  it('of all grantees is the union of their individual differences', () => {
    expect.hasAssertions();
    holdsBetween((from, to) => {
      const all = changes(from, to, {});
      for (const who of holdersSince(from, to)) {
        const own = all.filter(({ grantee_id }) => grantee_id === who);
        const queried = changes(from, to, { grantee_id: who });
        // The row of PUBLIC covers users without their own permissions.
        if (own.length === 0 && queried.every((row) => isPublics(row))) continue;
        expect([who, rowTexts(own)]).toEqual([who, rowTexts(queried)]);
      }
    });
  });
});

describe('a sovereign folder that the sweep moves out of an expired one', () => {
  const folder = { step: 'folder', sovereign: false, expires_at: -1 } as const;
  const taken: Step[] = [
    { ...folder, at: 0, parent: -1, expires_at: 7 },
    { ...folder, at: 1, parent: 0, sovereign: true },
    { ...folder, at: 2, parent: 1 },
    {
      ...{ step: 'directory', id: 'DirectoryPermissionID_0', resource_id: FOLDERS[2]! },
      ...{ granted_to: 'UserID_1', granted_by: OWNER, permission_types: ['VIEW'] },
      ...{ begin_date_ms: 0, expiry_date_ms: -1, inheritable: false },
    },
    { step: 'wait', ms: 3 },
    { step: 'wait', ms: 3 },
    { step: 'group', id: EVERYONE, owner: OWNER },
  ];

  it('gives back what is granted below it, and the difference has a row for it', () => {
    const [early, late] = [run(taken), run([...taken, { ...folder, at: 1, parent: -1 }])];
    const from = { state: early, now: early.timestamp_ms };
    const to = { state: late, now: late.timestamp_ms };
    expect(from.now).toBeGreaterThanOrEqual(7);
    const rows = changes(from, to, {}).filter(({ grantee_id }) => grantee_id === 'UserID_1');
    expect(rows).toMatchObject([{ resource_root: FOLDERS[2], gained: ['VIEW'], lost: [] }]);
  });
});

const granted = {
  step: 'system',
  granted_by: OWNER,
  permission_types: ['VIEW'] as string[],
  begin_date_ms: 0,
  expiry_date_ms: -1,
  inheritable: false,
} as const;

/** Steps before the earlier point and until the later one; all rows as texts. */
function rowsBetween(before: readonly Step[], since: readonly Step[]): string[] {
  const [early, late] = [run(before), run([...before, ...since])];
  const from = { state: early, now: early.timestamp_ms };
  const to = { state: late, now: late.timestamp_ms };
  return changes(from, to, {}).map((row) => `${row.grantee_id} ${rowTexts([row]).join()}`);
}

describe('a user whose id was swapped between the points', () => {
  const id = 'SystemPermissionID_0';
  const before: Step[] = [{ ...granted, id, resource_id: 'TABLE_DISKS', granted_to: 'UserID_1' }];
  const swap: Step = { step: 'swap', from: 'UserID_1', to: 'UserID_2' };

  it('has no row under either id', () => {
    expect(rowsBetween(before, [swap])).toEqual([]);
  });

  it('has no row if the former id is used again, but its new user has rows for the gains', () => {
    const again = { ...granted, granted_to: 'UserID_1' };
    const since: Step[] = [
      swap,
      { ...again, id: 'SystemPermissionID_1', resource_id: 'TABLE_GROUPS' },
      {
        ...again,
        step: 'directory',
        id: 'DirectoryPermissionID_0',
        resource_id: FOLDERS[0]!,
        permission_types: ['VIEW', 'MANAGE'],
      },
    ];
    expect(rowsBetween(before, since).sort()).toEqual([
      `UserID_1 ${FOLDERS[0]} +VIEW,MANAGE -`,
      'UserID_1 TABLE_GROUPS +VIEW -',
    ]);
  });

  it('leaves an id whose new user gains what a group holds by owning or joining it', () => {
    const group_id = 'GroupID_1';
    const group: Step = { step: 'group', id: group_id, owner: OWNER };
    const to_group: Step = {
      ...granted,
      id: 'SystemPermissionID_1',
      resource_id: 'TABLE_GROUPS',
      granted_to: group_id,
    };
    const joins: Step[] = [
      { ...group, owner: 'UserID_1' },
      {
        ...{ step: 'invite', id: 'GroupInviteID_0', group_id, invitee_id: 'UserID_1' },
        ...{ role: 'MEMBER', active_from: 0, expires_at: -1 },
      },
    ];
    for (const join of joins)
      expect(rowsBetween([...before, group, to_group], [swap, join])).toContain(
        'UserID_1 TABLE_GROUPS +VIEW -',
      );
  });

  it('if deleted, loses all under the last id, or a former id if the last is a new contact', () => {
    const contact: Step = { step: 'contact', id: 'UserID_1' };
    const leave: Step = { step: 'remove', id: 'UserID_2' };
    const rows = (...more: readonly Step[]) =>
      rowsBetween([contact, ...before], [swap, leave, ...more]);
    expect(rows()).toEqual(['UserID_2 TABLE_DISKS + -VIEW']);
    expect(rows({ ...contact, id: 'UserID_2' })).toEqual(['UserID_1 TABLE_DISKS + -VIEW']);
    expect(rows(contact)).toEqual(['UserID_2 TABLE_DISKS + -VIEW']);
  });
});

function rowTexts(rows: readonly AccessChange[]): string[] {
  return rows.map((row) => `${row.resource_root} ${textOf(row.gained, row.lost)}`).sort();
}

/** True if the change is only caused by PUBLIC, or is an exception to that. */
function isPublics({ because, gained, lost }: AccessChange): boolean {
  return [...gained, ...lost].every((type) => because[type]!.every(({ via }) => via === 'PUBLIC'));
}

/** True if the id has permissions besides those of PUBLIC there at one of the points. */
function isNamed(from: Moment, to: Moment, who: string, resource: string): boolean {
  const identities = new Identities(to.state);
  const named = ({ state, now }: Moment, id: string): boolean => {
    const model = new SlowModel(state);
    const what = identities.resourceThen(resource, state.revision);
    const grants = isDirectoryId(what)
      ? model.directoryGrants(id, what, now)
      : model.systemGrants(id, what, now);
    const has_own = grants.some(({ granted_to }) => granted_to !== 'PUBLIC');
    return has_own || id === 'PUBLIC' || model.isOwner(id);
  };
  // Two users may have been merged into one by superswaps.
  const was = HOLDERS.filter((id) => identities.since(id, from.state.revision) === who);
  return [...was, idBefore(from, to, who)].some((id) => named(from, id)) || named(to, who);
}

/** Folders that exist at only one point have rows where they hold grants of their own. */
function wasAndIsThere(from: Moment, to: Moment, resource: string): boolean {
  if (!isDirectoryId(resource)) return !resource.startsWith('GroupInviteID_');
  return [from, to].every(({ state, now }) => {
    const model = new SlowModel(state);
    const owner = USERS.find((user) => model.isOwner(user))!;
    return model.directoryTypes(owner, resource, now).length > 0;
  });
}

/**
 * The change of one resource according to the rows: its own row, or that inherited from its nearest ancestor or table.
 */
function readFrom(
  rows: ReadonlyMap<string, AccessChange>,
  from: Moment,
  to: Moment,
  resource: string,
): string {
  const own = rows.get(resource);
  if (own) return textOf(own.gained, own.lost);
  const excepted = new Set([...rows.values()].flatMap(({ except }) => except));
  if (excepted.has(resource)) return NOTHING;
  if (!isDirectoryId(resource)) {
    const of_table = rows.get(RECORD_KINDS.tableOf(resource));
    return of_table ? textOf(of_table.gained_below, of_table.lost_below) : NOTHING;
  }
  for (let id = resource; ;) {
    const node = directoryNode(to.state, id)!;
    const old = directoryNode(from.state, id)!;
    const is_cut = node.has_sovereign_permissions || old.has_sovereign_permissions;
    if (is_cut || node.parent_folder_uuid === null) return NOTHING;
    id = node.parent_folder_uuid;
    const above = rows.get(id);
    if (above) return textOf(above.gained_below, above.lost_below);
    if (excepted.has(id)) return NOTHING;
  }
}
