import { event, type DomainEvent } from '../../foundation/events.js';
import fc from 'fast-check';
import { SlowModel } from '../../access/testing/slow-model.js';
import { isThere } from '../../access/ancestor-paths.js';
import { isWithin, itemOf } from '../../relations/directory-tree.js';
import { contacted, granted, grouped, invited, superswapped } from '../../groups/testing/events.js';
import { directoryGrant, disk, ROOT } from '../../permissions/testing/grants.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';
import { listenersOf, type Match, watchEvent } from './matching.js';
import type { Payload } from './occurrences.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../record.js';
import { watching } from '../testing/events.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 60);
const USERS = ['UserID_1', 'UserID_2', 'UserID_3'];
const FOLDERS = Array.from({ length: 5 }, (_, at) => `FolderID_${at}`);
const FILES = Array.from({ length: 4 }, (_, at) => `FileID_${at}`);
const ITEMS = [...FOLDERS, ...FILES];
const GROUP = 'GroupID_1';
const LABEL = 'LabelID_1';
const GRANTEES = [...USERS, GROUP, 'PUBLIC'];

const NOTHING = {
  ...{ expires_at: -1, shortcut_to: null, notes: null, external_id: null, external_payload: null },
  ...{ disk_id: 'DiskID_1', created_by: OWNER, label_ids: [], creator_permission_id: null },
};
const one = (names: readonly string[]) => fc.constantFrom(...names);

/** The possible steps; steps that do not fit the current state are skipped. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ do: fc.constant('make' as const), item: one(ITEMS), into: one([ROOT, ...FOLDERS]) },
      sovereign: fc.boolean(),
    }),
  },
  {
    weight: 18,
    arbitrary: fc.record({
      do: fc.constantFrom('move' as const, 'copy' as const, 'restore' as const),
      ...{ item: one(ITEMS), into: one([ROOT, ...FOLDERS]) },
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('rename' as const, 'trash' as const, 'delete' as const, 'pin' as const),
      item: one(ITEMS),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      ...{ do: fc.constant('grant' as const), item: one([ROOT, ...ITEMS]), to: one(GRANTEES) },
      ...{ types: fc.constantFrom(['VIEW'], ['MANAGE'], ['EDIT']), inheritable: fc.boolean() },
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ do: fc.constant('system' as const), to: one(GRANTEES.slice(0, -1)) },
      on: one(['TABLE_AUDIT', 'TABLE_GROUPS', LABEL]),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('revoke' as const), nth: fc.nat(40) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ do: fc.constantFrom('join' as const, 'leave' as const), user: one(USERS) },
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('forget' as const, 'return' as const, 'swap' as const, 'mail' as const),
      user: one(USERS),
    }),
  },
);
const steps = fc.array(step, { minLength: 20, maxLength: 60, size: 'max' });
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A drive for the steps, with webhooks of all users on all resources, and one of the owner beside each. */
class World {
  readonly drive = new SpecDrive();
  private made = 0;

  constructor() {
    this.drive.given(
      ...[disk, grouped(GROUP), ...USERS.map((user) => contacted(user))],
      event('LabelCreated', {
        ...{ label_id: LABEL, created_by: OWNER, value: 'v', public_note: null },
        ...{ private_note: null, color: '#3B82F6', external_id: null, external_payload: null },
      }),
    );
    // Initial records, so that most steps fit.
    const places = [ROOT, ROOT, 'FolderID_0', 'FolderID_1', 'FolderID_1'];
    for (const [at, into] of places.entries()) {
      const item = FOLDERS[at]!;
      this.drive.given(this.fact({ do: 'make', item, into, sovereign: at === 3 })!);
    }
    for (const [at, item] of FILES.entries())
      this.drive.given(this.fact({ do: 'make', item, into: FOLDERS[at]!, sovereign: false })!);
    const targets: readonly (readonly [string, RegExp])[] = [
      ...['FileID_0', 'FileID_1'].map((id) => [id, /^(?:sub)?file\.|restore/] as const),
      ...['FolderID_0', 'FolderID_1'].map((id) => [id, /^subfile|^(?:sub)?folder\./] as const),
      ...([['ALL_FILES', /^file\.(?:created|deleted)|restore/]] as const),
      ...([[GROUP, /^group/]] as const),
      ...([[LABEL, /^label/]] as const),
      ...([['STATE_DIFFS', /state_diffs/]] as const),
      ...([['INBOX_NEW_MAIL', /inbox/]] as const),
    ];
    for (const [alt_index, pattern] of targets)
      for (const kind of WEBHOOK_EVENTS.filter((name) => pattern.test(name)))
        for (const created_by of [...USERS, OWNER])
          this.drive.given(
            watching(`${kind} ${alt_index} ${created_by}`, alt_index, { event: kind, created_by }),
          );
  }

  /** The event of a step; undefined if the step does not fit. */
  fact(taken: Step): DomainEvent | undefined {
    const { state, now } = this.drive;
    const nth = (this.made += 1);
    const item = 'item' in taken ? itemOf(state, taken.item) : undefined;
    const is_live = item && item.id !== ROOT && isThere(state, item, now);
    const into = 'into' in taken ? state.folders.get(taken.into) : undefined;
    const fits = is_live && into && !isWithin(state, into, item.id);
    const is_trashed = item?.restore_trash_prior_folder_uuid != null;
    const name = `name ${nth}`;
    const ids = (id: string) => (id.startsWith('FileID_') ? { file_id: id } : { folder_id: id });
    switch (taken.do) {
      case 'make': {
        if (item || !into) return undefined;
        const made = { ...NOTHING, name, parent_folder_uuid: into.id };
        const has_sovereign_permissions = taken.sovereign;
        if (taken.item.startsWith('FolderID_'))
          return event('FolderCreated', {
            ...{ ...made, has_sovereign_permissions, folder_id: taken.item },
          });
        return event('FileCreated', {
          ...{ ...made, has_sovereign_permissions, file_id: taken.item, version_id: `v${nth}` },
          ...{ extension: '', file_size: 1, raw_url: '', upload_status: 'COMPLETED' },
        });
      }
      case 'move':
        if (!fits || is_trashed) return undefined;
        return event('ItemMoved', { item_id: item.id, parent_folder_uuid: into.id, name });
      case 'copy':
        if (!fits || is_trashed || !item.id.startsWith('FileID_')) return undefined;
        return event('ItemCopied', {
          ...{ source_id: item.id, copy_id: `FileID_copy${nth}`, parent_folder_uuid: into.id },
          ...{ name, created_by: OWNER, files_expire_at: null, left_out: [] },
        });
      case 'restore':
        if (!fits || !is_trashed) return undefined;
        return event('ItemRestored', { item_id: item.id, parent_folder_uuid: into.id, name });
      case 'rename': {
        if (!is_live) return undefined;
        const data = { ...ids(item.id), updated_by: OWNER, name };
        const type = item.id.startsWith('FileID_') ? 'FileUpdated' : 'FolderUpdated';
        return { type, data } as DomainEvent;
      }
      case 'trash':
        if (!is_live || is_trashed) return undefined;
        return event('ItemTrashed', { item_id: item.id, name, trashed_by: OWNER });
      case 'delete':
        return is_live ? event('ItemsDeleted', { item_ids: [item.id] }) : undefined;
      case 'pin':
        if (!is_live) return undefined;
        return event('LabelPinned', { label_id: LABEL, resource_id: item.id });
      case 'grant': {
        if (!item) return undefined;
        const { types: permission_types, to: granted_to, inheritable } = taken;
        return directoryGrant(`d${nth}`, item.id, { granted_to, permission_types, inheritable });
      }
      case 'system':
        return granted(`SystemPermissionID_s${nth}`, taken.to, taken.on, 'VIEW');
      case 'revoke': {
        const grants = [...state.directory_permissions.ids(), ...state.system_permissions.ids()];
        const permission_id = grants[taken.nth % Math.max(1, grants.length)];
        if (!permission_id) return undefined;
        const type = permission_id.startsWith('Directory')
          ? 'DirectoryPermissionDeleted'
          : 'SystemPermissionDeleted';
        return event(type, { permission_id });
      }
      case 'join':
        return invited(`GroupInviteID_j${nth}`, GROUP, taken.user);
      case 'leave': {
        const invites = [...state.invites.where('invitee', taken.user)];
        const invite_ids = invites.map(({ id }) => id);
        return invite_ids.length > 0 ? event('GroupInvitesDeleted', { invite_ids }) : undefined;
      }
      case 'forget':
        if (!state.contacts.has(taken.user)) return undefined;
        return event('ContactDeleted', { contact_id: taken.user });
      case 'return':
        if (state.contacts.has(taken.user)) return undefined;
        return contacted(taken.user, { subject_key_id: `subject-${nth}` });
      case 'swap':
        if (!state.contacts.has(taken.user)) return undefined;
        return superswapped(taken.user, `UserID_of${nth}`);
      case 'mail':
        return event('InboxNotified', { inbox_notif_id: name, topic: null, payload: {} });
    }
  }

  happens(fact: DomainEvent): readonly Match[] {
    const { drive } = this;
    const context = { ...drive.context({ kind: 'system' }), masked: true };
    const after = watchEvent(context, fact, listenersOf(drive.state));
    drive.given(fact);
    return after({});
  }
}

/** The creators' visibility in a state by the slow model, stored for comparison with later states. */
class Seen {
  private readonly kept = new Map<string, boolean>();
  private readonly creators = new Map<string, string>();

  constructor({ state }: SpecDrive, now: number) {
    const model = new SlowModel(state);
    const ids = [...state.folders.ids(), ...state.files.ids()];
    for (const { id, created_by } of state.webhooks.values()) this.creators.set(id, created_by);
    for (const user of new Set(this.creators.values())) {
      const keep = (what: string, is_so: boolean) => this.kept.set(`${user} ${what}`, is_so);
      const system = (on: string) => model.systemTypes(user, on, now).includes('VIEW');
      keep('owns', model.isOwner(user));
      keep('is deleted', !state.contacts.has(user) && user !== OWNER);
      for (const on of ['TABLE_AUDIT', LABEL]) keep(on, system(on));
      keep(GROUP, system(GROUP) || model.isMember(user, GROUP, now));
      for (const id of ids) {
        const types = model.directoryTypes(user, id, now);
        keep(id, types.includes('VIEW') || types.includes('MANAGE'));
        const deep = model
          .directoryGrants(user, id, now)
          .filter(({ inheritable }) => inheritable)
          .flatMap(({ permission_types }) => permission_types as readonly string[]);
        keep(`below ${id}`, deep.includes('VIEW') || deep.includes('MANAGE'));
      }
    }
  }

  /** True if the webhook's creator could see the watched resource according to the contract. */
  mayShow(webhook_id: string, kind: WebhookEvent, alt_index: string, item_id?: string): boolean {
    const user = this.creators.get(webhook_id);
    const is = (what: string) => this.kept.get(`${user} ${what}`) ?? false;
    if (is('owns')) return true;
    if (is('is deleted')) return false;
    if (/^ALL_|RESTORE_TRASH|STATE_DIFFS|INBOX_NEW_MAIL/.test(alt_index)) return is('TABLE_AUDIT');
    const is_deep = kind.startsWith('sub') && alt_index.startsWith('FolderID_');
    if (!is(is_deep ? `below ${alt_index}` : alt_index)) return false;
    return item_id === undefined || is(item_id);
  }
}

const itemIn = (payload: Payload | undefined): string | undefined => {
  if (!payload) return undefined;
  if ('file' in payload) return payload.file.id;
  return 'folder' in payload ? payload.folder.id : undefined;
};
const text = ({ webhook, occurrence, nth }: Match, to = webhook.id): string =>
  JSON.stringify([to, occurrence.event, nth, occurrence.before, occurrence.after]);

describe('deliveries of webhooks', () => {
  it("equals the owner's deliveries, restricted to what the creator could see at that event", () => {
    let match_count = 0;
    let kept_from = 0;
    let halved = 0;
    fc.assert(
      fc.property(steps, (taken) => {
        const world = new World();
        for (const one_step of taken) {
          const fact = world.fact(one_step);
          if (!fact) continue;
          const was = new Seen(world.drive, world.drive.now);
          const at = world.drive.now;
          const matches = world.happens(fact);
          const is = new Seen(world.drive, at);
          const of_owner = matches.filter(({ webhook }) => webhook.id.endsWith(` ${OWNER}`));
          const expected = of_owner.flatMap(({ webhook, occurrence, nth }) =>
            USERS.flatMap((user) => {
              const id = webhook.id.replace(OWNER, user);
              const { event: kind, before, after } = occurrence;
              const may = (seen: Seen, side: Payload | undefined) =>
                seen.mayShow(id, kind, webhook.alt_index, itemIn(side));
              const sees_before = before !== undefined && may(was, before);
              const is_told = after === undefined ? sees_before : may(is, after);
              if (!is_told) kept_from += 1;
              if (!is_told) return [];
              if (before && !sees_before) halved += 1;
              const rest = { ...occurrence, before: sees_before ? before : undefined };
              return [text({ webhook, occurrence: rest as typeof occurrence, nth }, id)];
            }),
          );
          const actual = matches
            .filter(({ webhook }) => !webhook.id.endsWith(` ${OWNER}`))
            .map((match) => text(match));
          expect(actual.toSorted()).toEqual(expected.toSorted());
          match_count += actual.length;
        }
      }),
      { numRuns: RUNS },
    );
    // Otherwise the test would prove nothing.
    expect(match_count).toBeGreaterThan(RUNS);
    expect(kept_from).toBeGreaterThan(RUNS);
    expect(halved).toBeGreaterThan(0);
  });
});
