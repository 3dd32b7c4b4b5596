import { get, LoadClient, post, type Request } from '../harness/load.js';
import { makeOrganizations } from '../harness/organizations.js';
import { Random } from '../harness/random.js';
import type { Bench } from '../harness/row.js';
import { startService } from '../harness/servers.js';
import { Client } from '../../support/client.js';
import type { GrowingOrganization, GrowthRead } from './reads.js';

/** Rows of a page. */
const page_size = 20;
const CONNECTIONS = 16;
const ACTIONS = 100;
/** An organization has few of these. */
const MOST_WEBHOOKS = 20;
const MOST_BOOKMARKS = 1_000;

/** An organization with as many records of each family. All grants are on one folder, all keys are of one person. */
export async function families(bench: Bench, each: number): Promise<GrowingOrganization> {
  const service = await startService(bench, await bench.folder());
  const [{ drive_id, token }] = (await makeOrganizations(service, 1)) as [
    { drive_id: string; token: string },
  ];
  const below = `/v1/drive/${drive_id}`;
  const admin = new Client(`http://127.0.0.1:${service.port}${below}`, token);
  const ask = (path: string, body: object): Request =>
    post(`${below}${path}`, JSON.stringify(body), token);
  const owner_id = String((await admin.get('/organization/whoami')).data.userID);
  const disk = (await admin.post('/disks/create', { name: 'Disk', disk_type: 'LOCAL_SSD' })).data;
  const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id };

  bench.progress(`makes ${each} records of each family`);
  const making: Request[] = [
    ...Array.from({ length: each }, (_, nth) => [
      ask('/labels/create', { id: id('LabelID_', nth), value: `label-${nth}` }),
      ask('/api_keys/create', { id: id('ApiKeyID_', nth), name: `Key ${nth}` }),
      ask('/purchases/create', { id: id('PurchaseID_', nth), title: `Purchase ${nth}` }),
      ask('/contacts/create', { id: userId(nth), name: `Person ${nth}` }),
    ]).flat(),
    ...Array.from({ length: Math.min(each, MOST_BOOKMARKS) }, (_, nth) =>
      ask('/organization/bookmarks', { name: `mark-${nth}`, revision: 3 }),
    ),
    ...Array.from({ length: each / 10 }, (_, nth) =>
      ask('/disks/create', { id: id('DiskID_', nth), name: `Disk ${nth}`, disk_type: 'LOCAL_SSD' }),
    ),
    ...Array.from({ length: each / ACTIONS }, (_, batch) => {
      const actions = Array.from({ length: ACTIONS }, (__, one) => {
        const nth = batch * ACTIONS + one;
        const payload = { id: id('FileID_', nth), name: `file ${nth}.txt`, ...place, file_size: 1 };
        return { action: 'CREATE_FILE', payload };
      });
      return ask('/directory/action', { actions });
    }),
  ];
  const granting = Array.from({ length: each }, (_, nth) => {
    const granted_to = userId(nth);
    return [
      ask('/permissions/directory/create', {
        ...{ id: id('DirectoryPermissionID_', nth), granted_to },
        ...{ resource_id: disk.root_folder, permission_types: ['VIEW'] },
      }),
      ask('/permissions/system/create', {
        ...{ id: id('SystemPermissionID_', nth), granted_to },
        ...{ resource_id: 'TABLE_GROUPS', permission_types: ['VIEW'] },
      }),
    ];
  }).flat();
  const hooks = Array.from({ length: Math.min(each, MOST_WEBHOOKS) }, (_, nth) =>
    ask('/webhooks/create', {
      ...{ id: id('WebhookID_', nth), alt_index: id('LabelID_', nth), url: 'http://127.0.0.1:9/' },
      event: 'label.added',
    }),
  );
  const makers = await LoadClient.connect(service.port, CONNECTIONS);
  try {
    for (const requests of [making, granting, hooks]) await sendAll(makers, requests);
  } finally {
    makers.close();
  }
  const file = (await admin.post('/directory/list', { folder_id: disk.root_folder })).data.files[0];
  const { total } = (await admin.post('/organization/history', { page_size: 1 })).data;

  const groups = await admin.post('/groups/create', { name: 'Group' });
  const invited = await admin.post('/groups/invites/create', {
    ...{ group_id: groups.data.id ?? groups.data.group?.id, invitee_id: userId(0), role: 'MEMBER' },
  });
  const invite_id = String(invited.data.id ?? invited.data.invite?.id);
  const random = new Random(3);
  let writes = 0;
  const of = { drive_id, token, owner_id, folder_id: disk.root_folder, disk_id: disk.id };
  const reads = familyReads({ ...of, file_id: file.id, invite_id }, each);
  return {
    ...{ service, reads, records: 9 * each, head: total },
    client: await LoadClient.connect(service.port, 1),
    write() {
      const label = { id: id('LabelID_', random.below(each)), public_note: `note ${writes++}` };
      return ask('/labels/update', label);
    },
  };
}

/** What the reads ask about. */
interface Asked {
  readonly drive_id: string;
  readonly token: string;
  readonly owner_id: string;
  readonly disk_id: string;
  readonly folder_id: string;
  readonly file_id: string;
  readonly invite_id: string;
}

export function familyReads(
  { drive_id, token, owner_id, disk_id, folder_id, file_id, invite_id }: Asked,
  each: number,
): Record<string, GrowthRead> {
  const below = `/v1/drive/${drive_id}`;
  const ask = (path: string, body: object): Request =>
    post(`${below}${path}`, JSON.stringify(body), token);
  const asked = (path: string): Request => get(`${below}${path}`, token);
  const random = new Random(7);
  const any = (prefix: string): string => id(prefix, random.below(each));
  const read = (operation: string, next: GrowthRead['next']): GrowthRead => ({ operation, next });
  const action = (name: string, payload: () => object): GrowthRead =>
    read(`directory.action ${name}`, () =>
      ask('/directory/action', { actions: [{ action: name, payload: payload() }] }),
    );
  const get_of = (path: string, prefix: string) => () => asked(`/${path}/get/${any(prefix)}`);
  const list_of = (path: string, more: object = {}) => {
    const next = (): Request => ask(`/${path}`, { page_size, ...more });
    return next;
  };
  const check = { grantee_id: owner_id };
  return {
    'get a label': read('labels.get', get_of('labels', 'LabelID_')),
    'list of labels': read('labels.list', list_of('labels/list')),
    'get an API key': read('api_keys.get', get_of('api_keys', 'ApiKeyID_')),
    'list of API keys': {
      ...read('api_keys.list', list_of(`api_keys/list/${owner_id}`)),
      shown: each,
    },
    'get a purchase': read('purchases.get', get_of('purchases', 'PurchaseID_')),
    'list of purchases': read('purchases.list', list_of('purchases/list')),
    'get an organization of the address book': read('drives.get', () =>
      asked(`/drives/get/${drive_id}`),
    ),
    'list of the address book': read('drives.list', list_of('drives/list')),
    'get a disk': read('disks.get', () => asked(`/disks/get/${disk_id}`)),
    'list of disks': read('disks.list', list_of('disks/list')),
    'list of bookmarks': read('bookmarks.list', list_of('organization/bookmarks/list')),
    'get a webhook': read('webhooks.get', () => asked(`/webhooks/get/${id('WebhookID_', 0)}`)),
    'list of webhooks': read('webhooks.list', list_of('webhooks/list')),
    'deliveries of a webhook': read('webhooks.deliveries', () =>
      ask('/webhooks/deliveries', { id: id('WebhookID_', 0), page_size }),
    ),
    'get a directory permission': read(
      'permissions.directory.get',
      get_of('permissions/directory', 'DirectoryPermissionID_'),
    ),
    'list of directory permissions of a folder': read(
      'permissions.directory.list',
      list_of('permissions/directory/list', { filters: { resource_id: folder_id } }),
    ),
    'check of a directory permission': read('permissions.directory.check', () =>
      ask('/permissions/directory/check', {
        ...{ grantee_id: userId(random.below(each)), resource_id: any('FileID_') },
      }),
    ),
    'get a system permission': read(
      'permissions.system.get',
      get_of('permissions/system', 'SystemPermissionID_'),
    ),
    'list of system permissions': read(
      'permissions.system.list',
      list_of('permissions/system/list'),
    ),
    'check of a system permission': read('permissions.system.check', () =>
      ask('/permissions/system/check', { ...check, resource_id: 'TABLE_GROUPS' }),
    ),
    'list of a folder': read('directory.list', list_of('directory/list', { folder_id: folder_id })),
    'versions of a file': read(
      'directory.versions',
      list_of('directory/versions', { file_id: file_id }),
    ),
    'usage of disks': read('directory.usage', () => asked('/directory/usage')),
    'get a file': action('GET_FILE', () => ({ id: any('FileID_') })),
    'get a folder': action('GET_FOLDER', () => ({ id: folder_id })),
    'get an invite': read('groups.invites.get', () => asked(`/groups/invites/get/${invite_id}`)),
  };
}

function id(prefix: string, nth: number): string {
  return `${prefix}growth-${nth}`;
}

/** Ids of people are addresses of wallets: any 42 characters of this form will do. */
function userId(nth: number): string {
  return `UserID_0x${nth.toString(16).padStart(40, '0')}`;
}

async function sendAll(client: LoadClient, requests: readonly Request[]): Promise<void> {
  let next = 0;
  const ended = new AbortController();
  await client.run({
    duration_ms: 600_000,
    until: ended.signal,
    next() {
      if (next >= requests.length - 1) ended.abort();
      return requests[Math.min(next++, requests.length - 1)]!;
    },
  });
}
