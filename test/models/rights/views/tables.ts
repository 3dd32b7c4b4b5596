import { holds, mayIn, systemTypes } from '../evaluation.js';
import { maySeeGrant, maySeeGroup, maySeeInvite } from '../readers.js';
import type { Id, World } from '../world.js';
import {
  differencesOf,
  got,
  Hidden,
  hidden,
  Ids,
  listed,
  type Look,
  type Shown,
  type Viewer,
  visible,
} from './look.js';
import { NOTE } from './people.js';

/** What somebody sees of families whose rights are those of their table, of search and of external ids. */

/** All names and signatures of the random sequences. */
export const NAME = '~seek';
export const SIGNATURE = 'signed~';

interface Family {
  readonly path: string;
  readonly table: (world: World) => ReadonlyMap<Id, { id: Id }>;
  readonly may_see: (viewer: Viewer, id: Id) => boolean;
  readonly shown: (viewer: Viewer, id: Id) => Shown;
}

function maySee({ world, user, now }: Viewer, id: Id): boolean {
  return holds(world, user, 'VIEW', id, now);
}

function maySeePurchase(viewer: Viewer, id: Id): boolean {
  return viewer.world.purchases.get(id)!.vendor_id === viewer.user || maySee(viewer, id);
}

/** Redaction: permissions-model.md, section 9. */
const FAMILIES: readonly Family[] = [
  {
    path: 'disks',
    table: ({ disks }) => disks,
    may_see: maySee,
    shown: ({ world, user, now }, id) => ({
      private_note: hidden(holds(world, user, 'EDIT', id, now), NOTE),
      auth_json: hidden(holds(world, user, 'EDIT', id, now), '{}'),
    }),
  },
  {
    path: 'labels',
    table: ({ labels }) => labels,
    may_see: maySee,
    shown: ({ world, user, now }, id) => ({
      private_note: hidden(holds(world, user, 'EDIT', id, now), NOTE),
      resources: new Ids(user === world.owner ? world.labels.get(id)!.resources : []),
    }),
  },
  {
    path: 'webhooks',
    table: ({ webhooks }) => webhooks,
    may_see: maySee,
    shown: ({ world, user, now }, id) => ({
      signature: holds(world, user, 'EDIT', id, now) ? SIGNATURE : new Hidden(SIGNATURE),
      secret: '',
    }),
  },
  {
    path: 'drives',
    table: ({ drives }) => drives,
    may_see: maySee,
    shown: ({ world, user }, id) => ({
      private_note: hidden(user === world.owner && id !== world.drive_id, NOTE),
    }),
  },
  {
    path: 'purchases',
    table: ({ purchases }) => purchases,
    may_see: maySeePurchase,
    shown: () => ({}),
  },
];

function shownOf(family: Family, viewer: Viewer, id: Id): Shown {
  const { world, user, now } = viewer;
  return { ...family.shown(viewer, id), permission_previews: systemTypes(world, user, id, now) };
}

export function lookAtTables(viewer: Viewer): Look[] {
  const lists = FAMILIES.map((family) => {
    const may_see = ({ id }: { id: Id }): boolean => family.may_see(viewer, id);
    const shown = visible(family.table(viewer.world), may_see, ({ id }) =>
      shownOf(family, viewer, id),
    );
    return listed(shown, `${family.path}/list`);
  });
  return [...lists, search(viewer), externalIds(viewer)];
}

export function getTables(viewer: Viewer): Look[] {
  return FAMILIES.flatMap((family) =>
    [...family.table(viewer.world).keys()].map((id) =>
      got(`${family.path}/get/${id}`, family.may_see(viewer, id) ? 200 : 403, () =>
        shownOf(family, viewer, id),
      ),
    ),
  );
}

/** organization.md, "POST /search": "Only records the caller may VIEW are returned or counted"; without trashed items. */
function search(viewer: Viewer): Look {
  const { world, user, now } = viewer;
  const { groups, disks, drives, purchases, items } = world;
  const ids = [
    ...[...groups.values()]
      .filter((group) => group.id !== 'GroupID_all' && maySeeGroup(world, user, group, now))
      .map(({ id }) => id),
    ...[...disks.keys()].filter((id) => maySee(viewer, id)),
    ...[...drives.keys()].filter((id) => id !== world.drive_id && maySee(viewer, id)),
    ...[...purchases.keys()].filter((id) => maySeePurchase(viewer, id)),
    ...[...items.values()]
      .filter(
        ({ id, parent, deleted }) => parent && !deleted && mayIn(world, user, 'VIEW', id, now),
      )
      .map(({ id }) => id),
  ];
  const categories = ['GROUPS', 'DISKS', 'DRIVES', 'PURCHASES', 'FILES', 'FOLDERS'];
  return {
    method: 'POST',
    path: 'organization/search',
    body: { query: NAME, categories, page_size: 1000 },
    statuses: [200],
    differences: (data) =>
      differencesOf({ total: ids.length, items: new Ids(ids, 'resource_id') }, data),
  };
}

/** organization.md, "POST /external_id": "ids the caller may not VIEW are left out". The external id of a record is its id. */
function externalIds(viewer: Viewer): Look {
  const { world, user, now } = viewer;
  const seen = new Map<Id, boolean>();
  const add = <R extends { id: Id }>(
    table: ReadonlyMap<Id, R>,
    may_see: (record: R) => boolean,
  ): void => {
    for (const record of table.values())
      // Redeeming a PUBLIC invite copies its external fields; the sequences give it none.
      if (/_\d+$/.test(record.id) && (record as { invitee_id?: string }).invitee_id !== 'PUBLIC')
        seen.set(record.id, may_see(record));
  };
  add(world.groups, (group) => maySeeGroup(world, user, group, now));
  add(world.invites, (invite) => maySeeInvite(world, user, invite, now));
  add(world.system, (grant) => maySeeGrant(world, user, grant, now));
  add(world.directory, (grant) => maySeeGrant(world, user, grant, now));
  for (const item of world.items.values())
    if (item.kind === 'FOLDER' && /_\d+$/.test(item.id))
      seen.set(item.id, mayIn(world, user, 'VIEW', item.id, now));
  for (const family of FAMILIES) add(family.table(world), ({ id }) => family.may_see(viewer, id));
  const external_ids = [...seen.keys(), 'none'];
  return {
    method: 'POST',
    path: 'organization/external_id',
    body: { external_ids },
    statuses: [200],
    differences: (data) =>
      external_ids.flatMap((id, at) =>
        differencesOf({ internal_ids: seen.get(id) ? [id] : [] }, data.results[at]).map(
          (line) => `${id} ${line}`,
        ),
      ),
  };
}
