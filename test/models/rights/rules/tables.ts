import { DIRECTORY_TYPES, holds, mayIn } from '../evaluation.js';
import { addGrant, type Id, type Item, removeWhere, type World } from '../world.js';
import { destroy } from './directory.js';
import { accepted, type Call, refused, type Rule, type Rules } from './rule.js';

/** Families whose rights are those of their table: permissions-model.md, section 7, rows on disks and on labels, webhooks, drives, purchases. */

/** README.md, section 2: first whether the record exists, then authorization. */
function changing(type: string, table: (world: World) => Map<Id, unknown>, change = keep): Rule {
  return (call) => {
    const { world, user, body, now } = call;
    if (!table(world).has(body.id)) return refused(404);
    if (!holds(world, user, type, body.id, now)) return refused(403);
    return accepted(() => change(call));
  };
}

/** README.md, section 2: for contacts, drives and labels authorization "comes before existence". */
function changingHidden(
  type: string,
  table: (world: World) => Map<Id, unknown>,
  change = keep,
): Rule {
  return (call) => {
    const { world, user, body, now } = call;
    if (!holds(world, user, type, body.id, now)) return refused(403);
    return table(world).has(body.id) ? accepted(() => change(call)) : refused(404);
  };
}

/** "For list, create and table-level operations authorization comes right after validation." */
function creating(table: string, add: (call: Call, data: any) => void): Rule {
  return (call) => {
    const { world, user, body, now } = call;
    if (!holds(world, user, 'CREATE', table, now)) return refused(403);
    if (world.used.has(body.id)) return refused(400);
    return accepted((data) => {
      world.used.add(body.id);
      add(call, data);
    });
  };
}

function keep(_call: Call): void {}

export const tableRules: Rules = {
  'disks/create': creating('TABLE_DISKS', addDisk),
  'disks/update': changing('EDIT', ({ disks }) => disks),
  'disks/delete': changing('DELETE', ({ disks }) => disks, deleteDisk),

  'labels/create': (call) => {
    const { world, user, body, now } = call;
    if (!holds(world, user, 'CREATE', 'TABLE_LABELS', now)) return refused(403);
    const is_taken = [...world.labels.values()].some(({ value }) => value === body.value);
    if (world.used.has(body.id)) return refused(400, ...(is_taken ? [409] : []));
    if (is_taken) return refused(409);
    return accepted(() => {
      const { id, value } = body;
      world.used.add(id);
      world.labels.set(id, { id, value, created_by: user, resources: [] });
    });
  },
  'labels/update': changingHidden('EDIT', ({ labels }) => labels),
  'labels/delete': changingHidden(
    'DELETE',
    ({ labels }) => labels,
    ({ world, body }) => {
      world.labels.delete(body.id);
    },
  ),
  // "Label pin: S:EDIT(LABELS) plus edit right on the resource"; extras.md: "Unknown resource → 404".
  'labels/pin': ({ world, user, body, now }) => {
    const { label_id, resource_id, add } = body;
    const label = world.labels.get(label_id);
    if (!holds(world, user, 'EDIT', label_id, now)) return refused(403);
    if (!label) return refused(404);
    const is_item = /^F(ile|older)ID_/.test(resource_id);
    const exists =
      world.items.has(resource_id) ||
      [world.contacts, world.groups, world.disks].some((table) => table.has(resource_id));
    const may = is_item
      ? mayIn(world, user, 'EDIT', resource_id, now)
      : holds(world, user, 'EDIT', resource_id, now);
    // Contacts are hidden from callers without the right; so a missing one is 403 to them.
    if (!exists) return refused(404, ...(may ? [] : [403]));
    if (!may) return refused(403);
    return accepted(() => {
      const rest = label.resources.filter((id) => id !== resource_id);
      label.resources = add ? [...rest, resource_id] : rest;
    });
  },

  // "Webhook create and change of url or active: also the right to see what it watches".
  'webhooks/create': ({ world, user, body, now }) => {
    const { id, alt_index } = body;
    if (!holds(world, user, 'CREATE', 'TABLE_WEBHOOKS', now)) return refused(403);
    const watches = alt_index === 'ALL_FILES' ? 'AUDIT' : alt_index;
    if (!maySeeWatched(world, user, watches, now)) return refused(403);
    if (world.used.has(id)) return refused(400);
    return accepted(() => {
      world.used.add(id);
      world.webhooks.set(id, { id, created_by: user, watches, url: body.url });
    });
  },
  'webhooks/update': ({ world, user, body, now }) => {
    const webhook = world.webhooks.get(body.id);
    if (!webhook) return refused(404);
    if (!holds(world, user, 'EDIT', body.id, now)) return refused(403);
    const { url = webhook.url } = body;
    if (url !== webhook.url && !maySeeWatched(world, user, webhook.watches, now))
      return refused(403);
    return accepted(() => {
      webhook.url = url;
    });
  },
  'webhooks/delete': changing(
    'DELETE',
    ({ webhooks }) => webhooks,
    ({ world, body }) => {
      world.webhooks.delete(body.id);
    },
  ),

  // extras.md, section 5: "the vendor may read and update status, URLs, vendor_notes, tracer, external fields".
  'purchases/create': creating('TABLE_PURCHASES', ({ world, body: { id, vendor_id } }) => {
    world.purchases.set(id, { id, vendor_id });
  }),
  'purchases/update': ({ world, user, body, now }) => {
    const purchase = world.purchases.get(body.id);
    if (!purchase) return refused(404);
    const is_of_vendor = purchase.vendor_id === user && body.title === undefined;
    return is_of_vendor || holds(world, user, 'EDIT', body.id, now) ? accepted() : refused(403);
  },
  'purchases/delete': changing(
    'DELETE',
    ({ purchases }) => purchases,
    ({ world, body }) => {
      world.purchases.delete(body.id);
    },
  ),

  'drives/create': creating('TABLE_DRIVES', ({ world, body: { id } }) => {
    world.drives.set(id, { id });
  }),
  'drives/update': changingHidden('EDIT', ({ drives }) => drives),
  'drives/delete': (call) => {
    const { world, body } = call;
    const change = (): void => {
      world.drives.delete(body.id);
    };
    const verdict = changingHidden('DELETE', ({ drives }) => drives, change)(call);
    // extras.md, section 4: "own record → 400".
    return verdict.effect && body.id === world.drive_id ? refused(400) : verdict;
  },
};

/** extras.md, section 3: "VIEW on the item …; for ALL_FILES … VIEW on AUDIT". */
function maySeeWatched(world: World, user: Id, watches: string, now: number): boolean {
  return watches === 'AUDIT'
    ? holds(world, user, 'VIEW', 'TABLE_AUDIT', now)
    : mayIn(world, user, 'VIEW', watches, now);
}

/** disks.md, "POST /create", effects; permissions-model.md, section 8, "disk created". */
function addDisk({ world, user, body, n }: Call, data: any): void {
  const disk = {
    id: body.id,
    root_folder: `FolderID_root${n}`,
    trash_folder: `FolderID_trash${n}`,
  };
  world.disks.set(disk.id, disk);
  for (const id of [disk.root_folder, disk.trash_folder]) {
    const people = { created_by: user, last_updated_by: user, trashed_by: null };
    const place = { disk_id: disk.id, parent: null, sovereign: true, deleted: false };
    const own = { name: '', expires_at: -1 };
    const folder: Item = { id, kind: 'FOLDER', ...own, ...place, ...people, prior_folder: null };
    world.items.set(id, folder);
  }
  world.name(disk.root_folder, data.root_folder);
  world.name(disk.trash_folder, data.trash_folder);
  const give = (id: string, resource: Id, grantee: Id, permission_types: string[]): void => {
    const inheritable = resource === disk.root_folder;
    const people = { granted_to: grantee, granted_by: user };
    addGrant(world.directory, {
      id,
      resource_id: resource,
      ...people,
      permission_types,
      inheritable,
    });
    world.unnamed.push({ kind: 'grant', id, resource, grantee });
  };
  const prefix = `DirectoryPermissionID_disk${n}`;
  if (world.default_group)
    give(`${prefix}a`, disk.root_folder, world.default_group, ['VIEW', 'UPLOAD', 'EDIT']);
  if (user === world.owner) return;
  give(`${prefix}b`, disk.root_folder, user, DIRECTORY_TYPES);
  give(`${prefix}c`, disk.trash_folder, user, DIRECTORY_TYPES);
}

/** disks.md, "POST /delete", effects. */
function deleteDisk({ world, body: { id } }: Call): void {
  const disk = world.disks.get(id)!;
  for (const folder of [disk.root_folder, disk.trash_folder])
    destroy(world, world.items.get(folder)!);
  world.disks.delete(id);
  removeWhere(world.system, ({ resource_id }) => resource_id === id);
  for (const label of world.labels.values())
    label.resources = label.resources.filter((resource) => resource !== id);
}
