import type { RecordBase } from '../kernel/record.js';
import { DIRECTORY_TYPES, SYSTEM_TYPES } from '../kernel/permission-types.js';
import type { DriveState } from '../foundation/state.js';
import { event } from '../foundation/events.js';
import fc from 'fast-check';
import type { Context } from '../foundation/decision.js';
import type { ReadDefinition, Visibility } from '../foundation/reading.js';
import { inviteReads } from '../groups/invites-reads.js';
import { groupReads } from '../groups/reads.js';
import { grouped, invited } from '../groups/testing/events.js';
import { directoryPermissionReads, systemPermissionReads } from '../permissions/reads.js';
import { EVERYONE, OWNER, SPEC_SETTINGS, SpecDrive } from '../testing/drive.js';
import { Access, gives } from './access.js';
import { fileReads, folderReads } from '../directory/reads.js';
import { KnownTypes } from './known-types.js';
import { KnownVisibility } from './known-visibility.js';
import { beyondCeiling } from './ceiling.js';
import {
  FILES,
  FOLDERS,
  GROUPS,
  PLACEHOLDERS,
  RandomDrive,
  steps,
  SYSTEM_RESOURCES,
  USERS,
} from './testing/random-drive.js';
import { SlowModel } from './testing/slow-model.js';

const SOMEBODY = [...USERS, ...GROUPS, ...PLACEHOLDERS, 'PUBLIC', ''];
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 60);
/** Windows open and close between 1 and 9. The times are not in order, since caches must not depend on the order. */
const moments = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20], { minLength: 4 });
const STEPS_PER_PAUSE = 6;
const ENDS = [-1, 2, 5, 9];
const DEPTHS = [true, false];

/** Compares an actual with an expected answer; the third argument describes the query. */
type Compare = (actual: unknown, expected: unknown, ...question: readonly unknown[]) => void;
type Ask = (drive: RandomDrive, model: SlowModel, now: number, compare: Compare) => void;

/** Runs all queries on a random drive after several of its steps. A failure shows seed and steps. */
function differencesAlongTheWay(
  ask: Ask,
  pace = { steps: STEPS_PER_PAUSE, in_order: false },
): void {
  fc.assert(
    fc.property(steps, moments, (taken, chosen) => {
      const times = pace.in_order ? chosen.toSorted((a, b) => a - b) : chosen;
      const drive = new RandomDrive();
      const model = new SlowModel(drive.state);
      const differences: unknown[] = [];
      taken.forEach((step, at) => {
        drive.take(step);
        if (at % pace.steps > 0 && at < taken.length - 1) return;
        // Each time twice, so that caches are filled when the next steps follow.
        const now = times[Math.floor(at / pace.steps / 2) % times.length]!;
        ask(drive, model, now, (actual, expected, ...question) => {
          if (JSON.stringify(actual) !== JSON.stringify(expected))
            differences.push({ at, now, question, actual, expected });
        });
      });
      expect(differences.slice(0, 5)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}

function contextOf({ state }: RandomDrive, user_id: string, now: number): Context {
  return {
    state,
    now,
    caller: { user_id, api_key_id: null, via: 'SIGNATURE', key_expires_at: -1 },
    open: (value) => value as never,
    settings: SPEC_SETTINGS,
    lastOnline: () => 0,
    masked: false,
  };
}

const memberships: Ask = ({ state }, model, now, compare) => {
  for (const who of SOMEBODY) {
    const access = new Access(state, who, now);
    for (const group of GROUPS) {
      compare(access.member(group) !== null, model.isMember(who, group, now), who, group);
      compare(access.groupAdmin(group) !== null, model.isAdmin(who, group, now), who, group);
    }
  }
};

const systemTypes: Ask = ({ state }, model, now, compare) => {
  for (const who of SOMEBODY)
    for (const resource of SYSTEM_RESOURCES) {
      const access = new Access(state, who, now);
      const types = model.systemTypes(who, resource, now);
      compare(access.systemTypes(resource), types, who, resource);
      const grants = model.systemGrants(who, resource, now);
      for (const type of SYSTEM_TYPES) {
        compare(access.can(type, resource), types.includes(type), who, resource, type);
        const evidence = model.evidence(who, grants, [type], now);
        compare(access.system(type, resource) ?? [], evidence, who, resource, type);
      }
    }
};

const directoryTypes: Ask = ({ state }, model, now, compare) => {
  for (const who of SOMEBODY)
    for (const resource of [...FOLDERS, ...FILES, 'FolderID_unknown', 'FileID_unknown']) {
      const access = new Access(state, who, now);
      const types = model.directoryTypes(who, resource, now);
      compare(access.directoryTypes(resource), types, who, resource);
      const grants = model.directoryGrants(who, resource, now);
      for (const type of DIRECTORY_TYPES) {
        const holds = model.isOwner(who) || types.includes(type) || types.includes('MANAGE');
        compare(access.canDirectory(type, resource), holds, who, resource, type);
        const evidence = model.evidence(who, grants, [type, 'MANAGE'], now);
        compare(access.directory(type, resource) ?? [], evidence, who, resource, type);
      }
    }
};

/** One memo for all resources of one identity, in an order that is not that of the tree. */
const knownTypes: Ask = ({ state }, model, now, compare) => {
  for (const who of SOMEBODY) {
    const known = new KnownTypes(new Access(state, who, now));
    for (const resource of [...FILES, ...FOLDERS.toReversed(), 'FolderID_unknown', ...FOLDERS]) {
      const types = model.directoryTypes(who, resource, now);
      compare(known.held(resource), types, who, resource);
      const access = new Access(state, who, now);
      for (const type of DIRECTORY_TYPES)
        compare(known.can(type, resource), access.canDirectory(type, resource), who, resource);
      if (!resource.startsWith('FolderID_')) continue;
      const passed_on = access.directoryGrants(resource).filter(({ inheritable }) => inheritable);
      const passes_view = access.is_owner || passed_on.some((grant) => gives(grant, 'VIEW'));
      compare(known.passesOnView(resource), passes_view, who, resource);
    }
  }
};

const viewableLines: Ask = ({ state }, model, now, compare) => {
  for (const who of SOMEBODY)
    for (const folder of FOLDERS) {
      if (model.isOwner(who) || !state.folders.has(folder)) continue;
      const access = new Access(state, who, now);
      let count = 0;
      for (let at = state.folders.get(folder); at;) {
        const types = model.directoryTypes(who, at.id, now);
        if (!types.includes('VIEW') && !types.includes('MANAGE')) break;
        count++;
        if (at.has_sovereign_permissions || at.parent_folder_uuid === null) break;
        at = state.folders.get(at.parent_folder_uuid);
      }
      compare(access.viewableUpwards(folder), count, who, folder);
    }
};

const ceilings: Ask = ({ state }, model, now, compare) => {
  for (const who of USERS)
    for (const expiry_date_ms of ENDS)
      for (const inheritable of DEPTHS) {
        const access = new Access(state, who, now);
        for (const resource_id of [...FOLDERS, ...FILES]) {
          const reach = { resource_id, types: [...DIRECTORY_TYPES], expiry_date_ms, inheritable };
          const beyond = model.directoryCeiling(who, reach, now);
          const held = access.directoryGrants(resource_id);
          compare(beyondCeiling(access, held, reach, reach.types), beyond, who, reach);
        }
        for (const resource_id of SYSTEM_RESOURCES) {
          const reach = { resource_id, types: [...SYSTEM_TYPES], expiry_date_ms, inheritable };
          const beyond = model.systemCeiling(who, reach, now);
          const held = access.systemGrants(resource_id);
          compare(beyondCeiling(access, held, reach, reach.types), beyond, who, reach);
        }
      }
};

const readers: Ask = (drive, model, now, compare) => {
  for (const who of USERS) {
    const context = contextOf(drive, who, now);
    for (const grant of drive.state.system_permissions.values()) {
      const may_read = model.mayReadSystemGrant(who, grant, now);
      compare(systemPermissionReads.mayRead(context, grant), may_read, who, grant);
    }
    for (const grant of drive.state.directory_permissions.values()) {
      const may_read = model.mayReadDirectoryGrant(who, grant, now);
      compare(directoryPermissionReads.mayRead(context, grant), may_read, who, grant);
    }
  }
};

describe('access agrees with the slow reference model', () => {
  it.each([
    ['memberships and administration', memberships],
    ['system types and what gives them', systemTypes],
    ['directory types and what gives them', directoryTypes],
    ['directory types that are known by folder', knownTypes],
    ['how far up a line of folders may be viewed', viewableLines],
    ['the ceiling', ceilings],
    ['who may read a grant', readers],
  ])('on %s', (_, ask) => {
    expect.hasAssertions();
    differencesAlongTheWay(ask);
  });
});

type AnyReads = ReadDefinition<RecordBase, unknown>;

describe('lists show the same records as get', () => {
  const families = [groupReads, inviteReads, directoryPermissionReads, systemPermissionReads];

  it.each(families.map((reads) => [reads.family, reads as unknown as AnyReads] as const))(
    'in %s',
    (family, reads) => {
      expect.hasAssertions();
      differencesAlongTheWay((drive, _, now, compare) => {
        for (const who of [...USERS, '']) {
          const context = contextOf(drive, who, now);
          const visibility = reads.visible(context);
          for (const record of drive.state.table(family)!.values())
            compare(isShown(visibility, record), reads.mayRead(context, record), who, record);
        }
      });
    },
  );
});

describe('many records are read by the same people as each by itself', () => {
  it.each(
    [folderReads, fileReads].map((reads) => [reads.family, reads as unknown as AnyReads] as const),
  )('in %s', (family, reads) => {
    expect.hasAssertions();
    differencesAlongTheWay((drive, _, now, compare) => {
      for (const who of [...USERS, '']) {
        const context = contextOf(drive, who, now);
        const mayRead = reads.mayReadEach!(context);
        for (const record of drive.state.table(family)!.values())
          compare(mayRead(record), reads.mayRead(context, record), who, record);
      }
    });
  });
});

describe('cached visibility of lists', () => {
  it('is invalidated when the ownership of the organization changes', () => {
    const drive = new SpecDrive().given(event('GroupDeleted', { group_id: EVERYONE }));
    const known = new KnownVisibility(systemPermissionReads);
    expect(known.visible(drive.context(OWNER))).toBe('all');
    const owners = { old_owner_id: OWNER, new_owner_id: 'UserID_1' };
    const fresh = { everyone_invite_id: 'GroupInviteID_1', subject_key_id: 'subject-1' };
    drive.given(event('OwnershipTransferred', { ...owners, ...fresh }));
    expect(known.visible(drive.context(OWNER))).not.toBe('all');
  });

  it('is invalidated when a folder expires', () => {
    const drive = new RandomDrive();
    const now = 3;
    const [top, sub] = FOLDERS as [string, string];
    const at = FOLDERS.indexOf(sub);
    drive.take({ step: 'folder', at, parent: 0, sovereign: false, expires_at: 7 });
    const on_top = { resource_id: top, granted_to: 'UserID_1', granted_by: OWNER };
    const types = { permission_types: ['VIEW'], inheritable: true };
    const window = { begin_date_ms: 0, expiry_date_ms: -1 } as const;
    const id = 'DirectoryPermissionID_0';
    drive.take({ step: 'directory', id, ...on_top, ...types, ...window });
    const known = new KnownVisibility(directoryPermissionReads);
    const before = known.visible(contextOf(drive, 'UserID_1', now));
    expect(known.visible(contextOf(drive, 'UserID_1', now + 1))).toBe(before);
    expect(known.visible(contextOf(drive, 'UserID_1', 7))).not.toBe(before);
  });

  const families = [groupReads, inviteReads, directoryPermissionReads, systemPermissionReads];

  const paces = [
    { steps: 1, in_order: true },
    { steps: 1, in_order: false },
  ];
  const cases = families.flatMap((reads) =>
    paces.map((pace) => [reads.family, pace, reads as unknown as AnyReads] as const),
  );

  it.each(cases)('is never stale in %s, queried after %j', (family, pace, reads) => {
    expect.hasAssertions();
    const remembered = new WeakMap<DriveState, Map<string, KnownVisibility>>();
    differencesAlongTheWay((drive, _, now, compare) => {
      const { state } = drive;
      const by_user = remembered.get(state) ?? new Map<string, KnownVisibility>();
      remembered.set(state, by_user);
      for (const who of [...USERS, '']) {
        const context = contextOf(drive, who, now);
        const known = by_user.get(who) ?? new KnownVisibility(reads);
        by_user.set(who, known);
        const visibility = known.visible(context);
        compare(known.visible(context) === visibility, true, who, 'is the same object');
        for (const record of state.table(family)!.values())
          compare(isShown(visibility, record), reads.mayRead(context, record), who, record);
      }
    }, pace);
  });

  it('survives exactly the changes that do not concern the caller', () => {
    const drive = new SpecDrive().given(grouped('GroupID_1'), grouped('GroupID_2'));
    const known = new KnownVisibility(groupReads);
    const seen = () => known.visible(drive.context('UserID_1'));
    let before = seen();
    const isKept = (): boolean => {
      const after = seen();
      const is_kept = after === before;
      before = after;
      return is_kept;
    };
    expect(isKept()).toBe(true);
    drive.given(invited('GroupInviteID_1', 'GroupID_1', 'UserID_2'));
    expect(isKept()).toBe(true);
    drive.given(invited('GroupInviteID_2', 'GroupID_1', 'UserID_1'));
    expect(isKept()).toBe(false);
    drive.given(event('GroupUpdated', { group_id: 'GroupID_1', name: 'New' }));
    expect(isKept()).toBe(true);
    drive.given(event('ContactDeleted', { contact_id: 'UserID_2' }));
    expect(isKept()).toBe(true);
    for (let at = 0; at < 1100; at++)
      drive.given(event('GroupUpdated', { group_id: 'GroupID_2', name: `Name ${at}` }));
    // More changes than the cache examines.
    expect([isKept(), isKept()]).toEqual([false, true]);
    drive.given(event('GroupInvitesDeleted', { invite_ids: ['GroupInviteID_2'] }));
    expect(isKept()).toBe(false);
  });
});

function isShown(visibility: Visibility, record: RecordBase): boolean {
  if (visibility === 'all') return true;
  return visibility.some(({ field, among }) => {
    const value = (record as unknown as Record<string, string | readonly string[]>)[field]!;
    return typeof value === 'string' ? among.has(value) : value.some((one) => among.has(one));
  });
}
