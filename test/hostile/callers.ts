import type { Client, Organization } from '../support/client.js';
import type { World } from './world.js';

/** Somebody with some rights, or none any more. */
export interface Caller {
  readonly name: string;
  readonly client: Client;
  /** Beginnings of the names of planted texts that this caller may be told. */
  readonly knows: readonly string[];
  /** Beginning of the ids that this caller may delete, if any. */
  readonly may_delete?: string;
}

/** Records whose table one may EDIT, and what an editor of it is told by the answer to an update. */
const EDITORS: Readonly<Record<string, readonly string[]>> = {
  CONTACTS: ['contact ', 'second contact '],
  // An invite shows the name of who is invited, and a group some of its members.
  GROUPS: ['group ', 'invite ', 'open invite ', 'contact name', 'contact avatar'],
  DISKS: ['disk ', 'other disk '],
  PERMISSIONS: [
    ...['directory grant ', 'open directory grant note', 'open directory grant time'],
    ...['system grant ', 'contact name', 'contact avatar'],
  ],
  LABELS: ['label '],
  WEBHOOKS: ['webhook '],
  PURCHASES: ['purchase '],
  DRIVES: ['drive '],
  API_KEYS: [],
};

interface Shares {
  readonly resource: string;
  readonly types: readonly string[];
  readonly inheritable: boolean;
  readonly knows: readonly string[];
}

const FOLDER = [
  ...['folder ', 'subfolder ', 'file in folder ', 'file in subfolder '],
  // Who holds anything on a resource may read the grants on it, but for their codes.
  ...['directory grant ', 'open directory grant note', 'open directory grant time'],
  ...['contact name', 'contact avatar'],
];
const SHARES: Readonly<Record<string, Shares>> = {
  'editor of a file': {
    ...{ resource: 'file in folder', types: ['EDIT'], inheritable: false },
    knows: ['file in folder '],
  },
  'viewer and editor of a file': {
    ...{ resource: 'file in folder', types: ['VIEW', 'EDIT'], inheritable: false },
    knows: ['file in folder '],
  },
  'writer in a folder': {
    ...{ resource: 'folder', types: ['VIEW', 'UPLOAD', 'EDIT'], inheritable: true },
    knows: FOLDER,
  },
  'editor of a folder': {
    ...{ resource: 'folder', types: ['EDIT'], inheritable: true },
    knows: FOLDER,
  },
  'writer where a file was': {
    ...{ resource: 'elsewhere', types: ['VIEW', 'UPLOAD', 'EDIT'], inheritable: true },
    knows: ['elsewhere ', 'file in elsewhere '],
  },
  'editor where a file was': {
    ...{ resource: 'elsewhere', types: ['EDIT'], inheritable: true },
    knows: ['elsewhere ', 'file in elsewhere '],
  },
  'editor of the root': {
    ...{ resource: 'root', types: ['EDIT', 'UPLOAD'], inheritable: true },
    // A root is as old as its disk.
    knows: [
      ...FOLDER,
      'disk time',
      'top ',
      'elsewhere ',
      'file in root ',
      'file in top ',
      'file in elsewhere ',
    ],
  },
};

/** How a right ends. */
const ENDINGS = ['deleted', 'expired', 'not begun', 'left the group'] as const;

const EDITING = [
  'editor of a file',
  'viewer and editor of a file',
  'writer in a folder',
  'editor of a folder',
  'editor of the root',
];

/**
 * Callers who may EDIT and nothing else, and callers who once could and cannot any more: 28 in all.
 */
export async function callersOf(world: World, org: Organization): Promise<Caller[]> {
  const builder = new CallerBuilder(world, org);
  for (const name of EDITING) await builder.sharer(name, SHARES[name]!);
  for (const [table, knows] of Object.entries(EDITORS)) await builder.editor(table, knows);
  for (const ending of ENDINGS)
    for (const share of ['writer in a folder', 'editor of a file'])
      await builder.former(`${share}, ${ending}`, SHARES[share]!, ending);
  for (const name of ['writer where a file was', 'editor where a file was'])
    await builder.sharer(name, SHARES[name]!);
  await world.moveAway();
  await builder.former(
    'writer of the whole root, deleted',
    SHARES['editor of the root']!,
    'deleted',
  );
  await builder.revokedKey();
  await builder.deletedContact();
  await builder.formerAuditor();
  return builder.callers;
}

class CallerBuilder {
  readonly callers: Caller[] = [];

  constructor(
    private readonly world: World,
    private readonly org: Organization,
  ) {}

  async sharer(name: string, share: Shares): Promise<void> {
    const client = await this.member(name);
    await this.share(share, client.user_id);
    this.callers.push({ name, client, knows: share.knows });
  }

  async editor(table: string, knows: readonly string[]): Promise<void> {
    const client = await this.member(`editor of ${table}`);
    await this.grant({ resource_id: `TABLE_${table}`, permission_types: ['EDIT'] }, client.user_id);
    // Directory grants are deleted by whoever may change them.
    const rights = table === 'PERMISSIONS' && { may_delete: 'DirectoryPermissionID_' };
    this.callers.push({ name: `editor of ${table}`, client, knows, ...rights });
  }

  /** Somebody who had a share and all there was to read in it. */
  async former(name: string, share: Shares, ending: (typeof ENDINGS)[number]): Promise<void> {
    const client = await this.member(name);
    const { admin } = this.org;
    const types = [...new Set([...share.types, 'VIEW'])];
    if (ending === 'left the group') {
      const group_id = (await admin.post('/groups/create', { name: 'Leavers' })).data.id;
      const invitee_id = client.user_id;
      const invite = { group_id, invitee_id, role: 'MEMBER' };
      const { id } = (await admin.post('/groups/invites/create', invite)).data;
      await this.share({ ...share, types }, group_id);
      await admin.post('/groups/invites/delete', { id });
    } else {
      const window = {
        expired: { expiry_date_ms: this.world.now_ms + 10 },
        'not begun': { begin_date_ms: 4_000_000_000_000 },
        deleted: {},
      }[ending];
      const { id } = await this.share({ ...share, types }, client.user_id, window);
      await client.post('/directory/list', { folder_id: this.world.id(share.resource) });
      this.world.now_ms += 1_000;
      if (ending === 'deleted') await admin.post('/permissions/directory/delete', { id });
    }
    this.callers.push({ name, client, knows: [] });
  }

  async revokedKey(): Promise<void> {
    const client = await this.member('holder of a revoked key');
    const { data } = await this.org.admin.post(`/api_keys/list/${client.user_id}`);
    await this.grant({ resource_id: 'TABLE_GROUPS', permission_types: ['VIEW'] }, client.user_id);
    const revoked = { id: data[0].id, is_revoked: true };
    await this.org.admin.post('/api_keys/update', revoked);
    this.callers.push({ name: 'holder of a revoked key', client, knows: [] });
  }

  async deletedContact(): Promise<void> {
    const client = await this.member('deleted contact');
    await this.org.admin.post('/contacts/delete', { id: client.user_id });
    this.callers.push({ name: 'deleted contact', client, knows: [] });
  }

  async formerAuditor(): Promise<void> {
    const client = await this.member('former auditor');
    const body = { resource_id: 'TABLE_AUDIT', permission_types: ['VIEW'] };
    const { id } = await this.grant(body, client.user_id);
    await this.org.admin.post('/permissions/system/delete', { id });
    this.callers.push({ name: 'former auditor', client, knows: [] });
  }

  private async member(name: string): Promise<Client> {
    const { admin } = this.org;
    const contact = (await admin.post('/contacts/create', { name, is_placeholder: true })).data;
    const key = await admin.post('/api_keys/create', { name: 'own', user_id: contact.id });
    return this.org.as(key.data.value, contact.id);
  }

  private share({ resource, types, inheritable }: Shares, granted_to: string, window: object = {}) {
    const body = { resource_id: this.world.id(resource), permission_types: types, inheritable };
    return this.post('/permissions/directory/create', { ...body, ...window, granted_to });
  }

  private grant(body: object, granted_to: string) {
    return this.post('/permissions/system/create', { ...body, granted_to });
  }

  private async post(path: string, body: object): Promise<any> {
    const { data, err } = await this.org.admin.post(path, body);
    if (err) throw new Error(`${path}: ${err.message}`);
    return data;
  }
}
