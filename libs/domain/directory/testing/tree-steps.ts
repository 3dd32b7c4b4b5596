import fc from 'fast-check';
import { directoryGrant, folder, groupOf, ROOT, TRASH } from '../../permissions/testing/grants.js';
import { OWNER, type SpecDrive } from '../../testing/drive.js';
import { itemMade } from './events.js';

export const USER = 'UserID_a';
const GROUP = 'GroupID_g';
const FOLDERS = [ROOT, TRASH, ...Array.from({ length: 6 }, (_, nth) => `FolderID_${nth}`)];
const FILES = Array.from({ length: 6 }, (_, nth) => `FileID_${nth}`);

const nth = fc.nat();
const ITEMS = [...FOLDERS.slice(2), ...FILES];
const seldom = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean());
/** Ms from now; -1 = never. */
const end = fc.constantFrom(-1, -1, -1, 3, 20);

/** Changes of a tree of few items and of the rights of `USER`; mostly of files, since most real ones are. */
export const treeStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('file' as const),
      id: fc.constantFrom(...FILES),
      parent: nth,
      is_sovereign: seldom,
      expires_in_ms: fc.constantFrom(null, null, null, -5, 3, 20),
    }),
  },
  fc.record({ kind: fc.constant('removed' as const), id: fc.constantFrom(...FILES) }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('folder' as const),
      parent: nth,
      is_sovereign: seldom,
    }),
  },
  fc.record({
    kind: fc.constant('moved' as const),
    id: fc.constantFrom(...FOLDERS.slice(2)),
    parent: fc.constantFrom(null, ROOT, TRASH),
    expires_in_ms: fc.constantFrom(null, null, null, -5, 20),
  }),
  fc.record({ kind: fc.constant('renamed' as const), id: fc.constantFrom(...ITEMS), name: nth }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('grant' as const),
      on: fc.constantFrom(ROOT, ...ITEMS),
      to: fc.constantFrom(USER, USER, GROUP, 'PUBLIC', 'UserID_b'),
      type: fc.constantFrom('VIEW', 'VIEW', 'EDIT', 'MANAGE'),
      begins_in_ms: end,
      ends_in_ms: end,
      inheritable: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('revoked' as const), which: nth }),
  fc.record({ kind: fc.constant('member' as const), ends_in_ms: end }),
  fc.record({ kind: fc.constant('left' as const) }),
  fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(1, 4, 30) }),
);
export type TreeStep = typeof treeStep extends fc.Arbitrary<infer S> ? S : never;

/** @param at number of the step, for ids */
export function takeTreeStep(drive: SpecDrive, step: TreeStep, at: number): void {
  const { directory_permissions, files, folders, groups, invites } = drive.state;
  const inMs = (ms: number): number => (ms < 0 ? -1 : drive.now + ms);
  const folderAt = (place: number): string => {
    const made = FOLDERS.filter((known) => folders.has(known));
    return made[place % made.length]!;
  };
  switch (step.kind) {
    case 'time':
      drive.after(step.ms);
      return;
    case 'removed':
      files.remove(step.id);
      return;
    case 'renamed': {
      const [file, renamed] = [files.get(step.id), folders.get(step.id)];
      if (file) files.put({ ...file, name: `${step.name}` });
      if (renamed) folders.put({ ...renamed, name: `${step.name}` });
      return;
    }
    case 'moved': {
      const moved = folders.get(step.id);
      const parent_folder_uuid = step.parent ?? moved?.parent_folder_uuid ?? null;
      const expires_at = step.expires_in_ms === null ? -1 : drive.now + step.expires_in_ms;
      if (moved) folders.put({ ...moved, name: `${drive.now++}`, parent_folder_uuid, expires_at });
      return;
    }
    case 'folder': {
      const id = `FolderID_${folders.size - 2}`;
      if (FOLDERS.includes(id))
        folder(drive, id, folderAt(step.parent), { has_sovereign_permissions: step.is_sovereign });
      return;
    }
    case 'grant': {
      if (!files.has(step.on) && !folders.has(step.on)) return;
      const window = {
        begin_date_ms: inMs(step.begins_in_ms),
        expiry_date_ms: inMs(step.ends_in_ms),
      };
      const { to: granted_to, inheritable } = step;
      const given = { granted_to, permission_types: [step.type], inheritable, ...window };
      drive.given(directoryGrant(`${at}`, step.on, given));
      return;
    }
    case 'revoked': {
      const ids = [...directory_permissions.ids()];
      if (ids.length > 0) directory_permissions.remove(ids[step.which % ids.length]!);
      return;
    }
    case 'member':
      if (!groups.has(GROUP)) drive.given(...groupOf(GROUP, USER, inMs(step.ends_in_ms)));
      return;
    case 'left':
      for (const invite of invites.where('invitee', USER)) invites.remove(invite.id);
      return;
    case 'file': {
      const { id, is_sovereign, expires_in_ms } = step;
      const parent_folder_uuid = folderAt(step.parent);
      if (!files.has(id)) drive.given(itemMade(id, parent_folder_uuid, 'DiskID_1', OWNER));
      files.put({
        ...files.get(id)!,
        parent_folder_uuid,
        has_sovereign_permissions: is_sovereign,
        expires_at: expires_in_ms === null ? -1 : drive.now + expires_in_ms,
      });
    }
  }
}
