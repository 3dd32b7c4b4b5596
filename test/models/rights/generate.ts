import { AccessRequests } from './access-requests.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './choices.js';
import { SYSTEM_TYPES } from './evaluation.js';
import { expectedOf, identityOf, type Request } from './model.js';
import { TABLES } from './views/permissions.js';
import { NOTE } from './views/people.js';
import { NAME, SIGNATURE } from './views/tables.js';
import type { Id, Item, World } from './world.js';

/** Random requests over the records that the model has. */

/** Later than any sequence gets. */
const FAR_MS = Date.UTC(2099, 0, 1);

const JUMPS_MS = [MINUTE_MS, 6 * MINUTE_MS, 6 * MINUTE_MS, HOUR_MS, 25 * HOUR_MS];
/** While somebody waits to become the owner. */
const LONG_JUMPS_MS = [6 * MINUTE_MS, 25 * HOUR_MS, 25 * HOUR_MS, 9 * DAY_MS];
const READS = ['clock', 'groups/validate', 'organization/replay'];
/** time-travel.md, section 2b: no part of a transaction. */
const ALONE = ['directory/action', 'contacts/erase'];

export class Generator extends AccessRequests {
  /** What a sequence begins with: contacts, a group of admins, a disk with a folder. */
  setup(): Omit<Request, 'n'>[] {
    const [first, second, third] = this.signers as [Id, Id, Id];
    const owner = { credential: 'key:ApiKeyID_admin' };
    const contact = (id: Id): Omit<Request, 'n'> => ({
      ...owner,
      path: 'contacts/create',
      body: { id, name: NAME, is_placeholder: false },
    });
    const group = 'GroupID_1000';
    return [
      ...[first, second, third].map(contact),
      { ...owner, path: 'groups/create', body: this.created(group) },
      {
        ...owner,
        path: 'groups/invites/create',
        body: {
          ...this.created('GroupInviteID_1001'),
          group_id: group,
          invitee_id: first,
          role: 'MEMBER',
        },
      },
      {
        ...owner,
        path: 'disks/create',
        body: { ...this.created('DiskID_1002'), disk_type: 'LOCAL_SSD', auth_json: '{}' },
      },
      {
        ...owner,
        path: 'permissions/system/create',
        body: {
          ...this.created('SystemPermissionID_1003'),
          resource_id: this.of(TABLES),
          granted_to: this.of([group, first, second]),
          permission_types: SYSTEM_TYPES,
        },
      },
    ];
  }

  /** The next request: accepted, or refused for want of a right; others seldom. */
  next(world: World, now: number, n: number): Request {
    let request = this.any(world, now, n);
    for (let tries = 0; tries < 12; tries++) {
      if (request.path === 'clock' || this.random.next() < 0.05) return request;
      const { effect, statuses } = expectedOf(world, request, now);
      if (effect || (statuses.includes(403) && this.random.next() < 0.35)) return request;
      request = this.any(world, now, n);
    }
    return request;
  }

  private any(world: World, now: number, n: number): Request {
    let credential = this.credential(world, now);
    const user = identityOf(world, credential, now) ?? this.of(this.signers);
    const [path, body] = this.request(world, now, n, user);
    const concerned = this.concerned(world, body);
    if (concerned.length > 0 && this.random.next() < 0.5) credential = `sig:${this.of(concerned)}`;
    const roll = this.random.next();
    if (roll < 0.1 && !READS.includes(path)) return { n, credential, path, body, via: 'dry run' };
    if (roll < 0.2 && ![...READS, ...ALONE].includes(path))
      return { n, credential, path, body, via: 'transaction' };
    return { n, credential, path, body };
  }

  /** The owner often; else somebody with a signature or any key, expired, revoked and deleted ones too. */
  private credential(world: World, now: number): string {
    const roll = this.random.next();
    if (roll < 0.15) return ownerCredential(world, now);
    if (roll < 0.8) return `sig:${this.of(this.signers)}`;
    if (roll < 0.98) return `key:${this.of([...world.keys.keys()])}`;
    return roll < 0.99 ? 'key:ApiKeyID_none' : '';
  }

  /** Users whom the record of a request names, and members of its group: their rights are the finer ones. */
  private concerned(world: World, body: any): Id[] {
    const id = body.id ?? body.permission_id ?? body.resource_id;
    const invite = world.invites.get(id);
    const grant = world.system.get(id) ?? world.directory.get(id);
    const near = [...world.system.values(), ...world.directory.values()].filter(
      ({ resource_id }) => resource_id === body.resource_id || resource_id === body.group_id,
    );
    const named = [
      ...[invite?.inviter_id, invite?.invitee_id, grant?.granted_by, grant?.granted_to],
      ...near.map(({ granted_to }) => granted_to),
    ];
    const members = [...world.invites.values()]
      .filter(({ group_id }) => named.includes(group_id) || group_id === body.group_id)
      .map(({ invitee_id }) => invitee_id);
    return this.signers.filter((user) => [...named, ...members].includes(user));
  }

  private request(world: World, now: number, n: number, user: Id): [string, any] {
    const kinds: readonly (readonly [number, () => [string, any]])[] = [
      [2, () => ['clock', { ms: this.of(world.pending ? LONG_JUMPS_MS : JUMPS_MS) }]],
      [6, () => this.contact(world, n)],
      [14, () => this.group(world, now, n)],
      [14, () => this.systemGrant(world, now, n)],
      [14, () => this.directoryGrant(world, now, n)],
      [6, () => this.redeem(world, user)],
      [14, () => this.action(world, n)],
      [5, () => this.disk(world, n)],
      [7, () => this.table(world, n)],
      [5, () => this.key(world, now, n, user)],
      [6, () => this.organization(world)],
    ];
    let roll = this.random.next() * kinds.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, make] of kinds) if ((roll -= weight) < 0) return make();
    throw new Error('No request was chosen.');
  }

  private action(world: World, n: number): [string, any] {
    const items = [...world.items.values()].filter(({ parent }) => parent);
    const folders = [...world.items.values()].filter(({ kind }) => kind === 'FOLDER');
    const parent = folders.length > 0 ? this.of(folders) : undefined;
    const item = items.length > 0 ? this.of(items) : undefined;
    if (!parent || !item || this.random.next() < 0.4) {
      const kind = this.of(['FOLDER', 'FOLDER', 'FILE']);
      const id = kind === 'FOLDER' ? `FolderID_${n}` : `FileID_${n}`;
      const place = {
        parent_folder_uuid: parent?.id ?? 'FolderID_none',
        disk_id: parent?.disk_id ?? 'DiskID_none',
      };
      const has_sovereign_permissions = this.random.next() < 0.3;
      const more = kind === 'FILE' ? { file_size: 1 } : { external_id: id };
      return act(`CREATE_${kind}`, {
        id,
        name: `${NAME}${n}`,
        ...place,
        has_sovereign_permissions,
        ...more,
      });
    }
    const { id, kind } = item;
    const trashed = items.filter(({ prior_folder }) => prior_folder);
    const file = items.find((each) => each.kind === 'FILE');
    return this.of<() => [string, any]>([
      () => act(`UPDATE_${kind}`, { id, name: `${NAME}${n}` }),
      () => act(`UPDATE_${kind}`, { id, expires_at: this.of([-1, FAR_MS, FAR_MS + DAY_MS]) }),
      () => this.replacing(item, n),
      () => act(`DELETE_${kind}`, { id, permanent: this.random.next() < 0.3 }),
      () => act(`DELETE_${kind}`, { id, permanent: false }),
      () =>
        act(`MOVE_${kind}`, {
          id,
          destination_folder_id: parent.id,
          file_conflict_resolution: this.of(['KEEP_BOTH', 'REPLACE']),
        }),
      () => act(`COPY_FILE`, { id: file?.id ?? 'FileID_none', destination_folder_id: parent.id }),
      () => act('RESTORE_TRASH', { id: trashed.length > 0 ? this.of(trashed).id : id }),
    ])();
  }

  /** A request that means an existing item by its id or name, or moves an item to where one of its name is. */
  private replacing({ id, name, kind, parent, disk_id }: Item, n: number): [string, any] {
    const place = { parent_folder_uuid: parent, disk_id };
    const more = { ...(kind === 'FILE' && { file_size: 1 }), file_conflict_resolution: 'REPLACE' };
    const new_id = kind === 'FILE' ? `FileID_${n}` : `FolderID_${n}`;
    return this.of<() => [string, any]>([
      () =>
        act('CREATE_FILE', {
          id: kind === 'FILE' ? id : `FileID_${n}`,
          name,
          ...place,
          file_size: 1,
        }),
      () => act(`CREATE_${kind}`, { id: new_id, name, ...place, ...more }),
    ])();
  }

  private disk(world: World, n: number): [string, any] {
    const id = this.idOf(world.disks, 'DiskID_none');
    const created = { ...this.created(`DiskID_${n}`), disk_type: 'LOCAL_SSD', auth_json: '{}' };
    return this.of<() => [string, any]>([
      () => ['disks/create', created],
      () => ['disks/update', { id, name: NAME }],
      () =>
        this.random.next() < 0.4
          ? ['disks/delete', { id }]
          : ['disks/update', { id, public_note: 'x' }],
    ])();
  }

  private table(world: World, n: number): [string, any] {
    const folders = [...world.items.values()].filter(({ kind }) => kind === 'FOLDER');
    const label = this.idOf(world.labels, 'LabelID_none');
    const webhook = this.idOf(world.webhooks, 'WebhookID_none');
    const purchase = this.idOf(world.purchases, 'PurchaseID_none');
    const drive = this.idOf(world.drives, 'DriveID_none');
    const pinned = [world.contacts, world.groups, world.disks, world.items].flatMap((table) => [
      ...table.keys(),
    ]);
    const vendor_id = this.user(world);
    const alt_index =
      folders.length > 0 ? this.of(['ALL_FILES', this.of(folders).id]) : 'ALL_FILES';
    const url = `https://hooks.example.com/${n % 2}`;
    const hook = { url, active: false, signature: SIGNATURE };
    const event = alt_index === 'ALL_FILES' ? 'file.created' : 'folder.updated';
    return this.of<() => [string, any]>([
      () => [
        'labels/create',
        { ...this.created(`LabelID_${n}`), value: `label-${this.of([1, 2, 3, 4])}` },
      ],
      () => ['labels/update', { id: label, public_note: 'x' }],
      () => ['labels/delete', { id: label }],
      () => [
        'labels/pin',
        {
          label_id: label,
          resource_id: this.of([...pinned, 'GroupID_none']),
          add: this.random.next() < 0.8,
        },
      ],
      () => ['webhooks/create', { ...this.created(`WebhookID_${n}`), ...hook, event, alt_index }],
      () => ['webhooks/update', { id: webhook, ...this.of([{ url }, { note: 'x' }]) }],
      () => ['webhooks/delete', { id: webhook }],
      () => ['purchases/create', { ...this.created(`PurchaseID_${n}`), title: NAME, vendor_id }],
      () => [
        'purchases/update',
        { id: purchase, ...this.of([{ title: NAME }, { status: 'RUNNING' }]) },
      ],
      () => ['purchases/delete', { id: purchase }],
      () => ['drives/create', { ...this.created(`DriveID_${n}`), icp_principal: 'aaaaa-aa' }],
      () => ['drives/update', { id: drive, public_note: 'x' }],
      () => ['drives/delete', { id: drive }],
    ])();
  }

  private key(world: World, now: number, n: number, user: Id): [string, any] {
    const keys = [...world.keys.keys()].filter((id) => id !== 'ApiKeyID_admin');
    const id = keys.length > 0 ? this.of(keys) : 'ApiKeyID_none';
    const user_id = this.of([user, user, this.user(world)]);
    const expires_at = this.of([-1, -1, now + 5 * MINUTE_MS, now + 2 * HOUR_MS]);
    const begins_at = this.of([now, now, now + 3 * MINUTE_MS]);
    const created = {
      id: `ApiKeyID_${n}`,
      name: NAME,
      private_note: NOTE,
      user_id,
      begins_at,
      expires_at,
    };
    return this.of<() => [string, any]>([
      () => ['api_keys/create', created],
      () => ['api_keys/create', created],
      () => [
        'api_keys/update',
        { id, ...this.of([{ is_revoked: true }, { is_revoked: false }, { expires_at }]) },
      ],
      () => ['api_keys/delete', { id }],
    ])();
  }

  private organization(world: World): [string, any] {
    const next_owner_id =
      world.pending && this.random.next() < 0.7 ? world.pending.user : this.of(this.signers);
    const slug = this.idOf(world.shortlinks, 'none');
    return this.of<() => [string, any]>([
      () => ['organization/transfer_ownership', { next_owner_id }],
      () => [
        'organization/transfer_ownership',
        this.random.next() < 0.2 ? { cancel: true } : { next_owner_id },
      ],
      () => [
        'organization/superswap_user',
        { current_user_id: this.user(world), new_user_id: this.of(this.signers) },
      ],
      () => [
        'organization/superswap_user',
        { current_user_id: this.user(world), new_user_id: this.of(this.signers) },
      ],
      () => ['organization/inbox', { topic: 'x' }],
      () => ['organization/update_allowed_domains', { allowed_domains: 'example.com' }],
      () => ['organization/replay', { hash: false }],
      () => ['organization/shortlink', { original_url: 'https://example.com/' }],
      () => ['organization/shortlink', { slug, original_url: 'https://example.com/' }],
    ])();
  }
}

function act(action: string, payload: object): [string, any] {
  return ['directory/action', { actions: [{ action, payload }] }];
}

/** A credential of the owner that works now. */
export function ownerCredential(world: World, now: number): string {
  const key = [...world.keys.values()].find(
    ({ id, user_id }) => user_id === world.owner && identityOf(world, `key:${id}`, now) !== null,
  );
  return key ? `key:${key.id}` : `sig:${world.owner}`;
}
