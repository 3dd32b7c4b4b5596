import { counts, directoryTypes, granteeSet, mayIn } from '../evaluation.js';
import type { Disk, Id, Item } from '../world.js';
import { differencesOf, Ids, type Look, type Shown, type Viewer } from './look.js';

/** What somebody sees of files and folders: directory.md. */

export function lookAtDirectory(viewer: Viewer): Look[] {
  const { world } = viewer;
  const folders = [...world.items.values()].filter(({ kind }) => kind === 'FOLDER');
  return [
    ...folders.map((folder) => content(viewer, folder)),
    ...[...world.disks.values()].map((disk) => sharedWithMe(viewer, disk)),
  ];
}

/** Section 3: "VIEW on the folder, else 403. Children whose own permissions (sovereign) deny VIEW are left out." */
function content(viewer: Viewer, folder: Item): Look {
  const { world, user, now } = viewer;
  const children = visibleChildren(viewer, folder);
  return {
    method: 'POST',
    path: 'directory/list',
    body: { folder_id: folder.id, page_size: 1000 },
    statuses: [mayIn(world, user, 'VIEW', folder.id, now) ? 200 : 403],
    differences: (data) => [
      ...differencesOf(
        {
          folders: idsOf(children, 'FOLDER'),
          files: idsOf(children, 'FILE'),
          total_folders: children.filter(({ kind }) => kind === 'FOLDER').length,
          total_files: children.filter(({ kind }) => kind === 'FILE').length,
          permission_previews: directoryTypes(world, user, folder.id, now),
        },
        data,
      ),
      ...[...data.folders, ...data.files].flatMap((item: any) =>
        world.items.has(item.id)
          ? differencesOf(shownItem(viewer, world.items.get(item.id)!), item)
          : [],
      ),
    ],
  };
}

/**
 * Section 3, "Shared with me": "items on that disk, not deleted, on which a counting grant with VIEW is placed directly
 * for the caller's grantee set; the root and trash folders themselves are left out".
 */
function sharedWithMe({ world, user, now }: Viewer, disk: Disk): Look {
  const grantees = granteeSet(world, user, now);
  const items = [...world.items.values()].filter(
    (item) =>
      item.disk_id === disk.id &&
      !item.deleted &&
      item.parent !== null &&
      [...world.directory.values()].some(
        (grant) =>
          grant.resource_id === item.id &&
          grantees.has(grant.granted_to) &&
          counts(grant, now) &&
          // "MANAGE implies the other five" (permissions-model.md, section 2).
          (grant.permission_types.includes('VIEW') || grant.permission_types.includes('MANAGE')),
      ),
  );
  return {
    method: 'POST',
    path: 'directory/list',
    body: { disk_id: disk.id, page_size: 1000 },
    statuses: [200],
    differences: (data) =>
      differencesOf(
        {
          folders: idsOf(items, 'FOLDER'),
          files: idsOf(items, 'FILE'),
          total_folders: items.filter(({ kind }) => kind === 'FOLDER').length,
          permission_previews: [],
        },
        data,
      ),
  };
}

/** GET_FILE and GET_FOLDER in one request: "VIEW". */
export function getItems(viewer: Viewer): Look[] {
  const { world, user, now } = viewer;
  const items = [...world.items.values()].slice(-100);
  if (items.length === 0) return [];
  const actions = items.map(({ id, kind }) => ({ action: `GET_${kind}`, payload: { id } }));
  return [
    {
      method: 'POST',
      path: 'directory/action?envelope=ok',
      body: { actions },
      statuses: [200],
      differences: (data) =>
        items.flatMap((item, at) => {
          const { result, error } = data[at].response;
          const status = mayIn(world, user, 'VIEW', item.id, now) ? 200 : 403;
          const got = error ? error.code : 200;
          if (status !== got) return [`${item.id}: expected ${status}, got ${got}`];
          if (error) return [];
          return differencesOf(shownItem(viewer, item), result.file ?? result.folder).map(
            (line) => `${item.id} ${line}`,
          );
        }),
    },
  ];
}

function shownItem(viewer: Viewer, item: Item): Shown {
  const { world, user, now } = viewer;
  const children = visibleChildren(viewer, item);
  return {
    deleted: item.deleted,
    permission_previews: directoryTypes(world, user, item.id, now),
    ...(item.kind === 'FILE'
      ? {}
      : {
          subfolder_uuids: new Ids(children.filter(({ kind }) => kind === 'FOLDER').map(idOf)),
          file_uuids: new Ids(children.filter(({ kind }) => kind === 'FILE').map(idOf)),
        }),
  };
}

function visibleChildren({ world, user, now }: Viewer, folder: Item): Item[] {
  return [...world.items.values()].filter(
    ({ id, parent }) => parent === folder.id && mayIn(world, user, 'VIEW', id, now),
  );
}

function idsOf(items: readonly Item[], kind: Item['kind']): Ids {
  return new Ids(items.filter((item) => item.kind === kind).map(idOf), 'id');
}

function idOf({ id }: { readonly id: Id }): Id {
  return id;
}
