/**
 * The records of one organization as far as rights rest on them. Written from `contract/` alone and as plainly as
 * possible: no indexes, no caches. A record's fields have the names of the API.
 */
export type Id = string;

/** contacts.md, "Record" and the table of redeem codes. */
export interface Contact {
  id: Id;
  created_by: Id;
  has_code: boolean;
  /** As given at creation: an explicit placeholder keeps its code until it is redeemed. */
  is_placeholder: boolean | null;
  from_placeholder_user_id: string | null;
  past_user_ids: Id[];
}

/** extras.md, section 1. */
export interface ApiKey {
  id: Id;
  user_id: Id;
  /** Null: the service. */
  made_by: Id | null;
  begins_at: number;
  expires_at: number;
  /** Null: the contract does not decide. */
  is_revoked: boolean | null;
}

/** groups.md. */
export interface Group {
  id: Id;
  owner: Id;
}

export interface Invite {
  id: Id;
  group_id: Id;
  inviter_id: Id;
  invitee_id: string;
  role: 'ADMIN' | 'MEMBER';
  active_from: number;
  expires_at: number;
  has_code: boolean;
  from_placeholder_invitee: string | null;
}

/** permissions.md: a directory or a system permission. */
export interface Grant {
  id: Id;
  resource_id: Id;
  granted_to: string;
  granted_by: Id;
  permission_types: string[];
  begin_date_ms: number;
  expiry_date_ms: number;
  inheritable: boolean;
  has_code: boolean;
  has_password: boolean;
}

/** disks.md. */
export interface Disk {
  id: Id;
  root_folder: Id;
  trash_folder: Id;
}

/** directory.md, section 2: a file or a folder. */
export interface Item {
  id: Id;
  kind: 'FILE' | 'FOLDER';
  name: string;
  disk_id: Id;
  parent: Id | null;
  expires_at: number;
  sovereign: boolean;
  deleted: boolean;
  /** The folder that it was trashed from; null unless it was trashed itself. */
  prior_folder: Id | null;
  trashed_by: Id | null;
  created_by: Id;
  last_updated_by: Id;
}

export interface Label {
  id: Id;
  value: string;
  created_by: Id;
  resources: Id[];
}

export interface Webhook {
  id: Id;
  created_by: Id;
  /** `AUDIT` or the id of a folder. */
  watches: string;
  url: string;
}

export interface Purchase {
  id: Id;
  vendor_id: string;
}

export interface KnownDrive {
  id: Id;
}

export interface Shortlink {
  id: string;
  created_by: Id;
}

/** A record that the service made with an id of its own: how its id is found out. */
export type Unnamed =
  | { readonly kind: 'invite'; readonly id: Id; readonly group: Id; readonly invitee: Id }
  | { readonly kind: 'grant'; readonly id: Id; readonly resource: Id; readonly grantee: Id }
  | { readonly kind: 'key'; readonly id: Id; readonly user: Id };

export class World {
  owner: Id;
  pending: { user: Id; at_ms: number } | null = null;
  default_group: Id | null = null;
  readonly contacts = new Map<Id, Contact>();
  readonly keys = new Map<Id, ApiKey>();
  readonly groups = new Map<Id, Group>();
  readonly invites = new Map<Id, Invite>();
  readonly system = new Map<Id, Grant>();
  readonly directory = new Map<Id, Grant>();
  readonly disks = new Map<Id, Disk>();
  readonly items = new Map<Id, Item>();
  readonly labels = new Map<Id, Label>();
  readonly webhooks = new Map<Id, Webhook>();
  readonly purchases = new Map<Id, Purchase>();
  readonly drives = new Map<Id, KnownDrive>();
  readonly shortlinks = new Map<string, Shortlink>();
  /** Ids that records have or had; README.md, section 3: none is used twice. */
  readonly used = new Set<Id>();
  /** Records whose ids the service chose and nobody has asked for yet. */
  unnamed: Unnamed[] = [];
  /** Ids in requests and in this model, and the service's ids that they stand for. */
  readonly real_ids = new Map<Id, Id>();

  constructor(
    readonly drive_id: Id,
    owner: Id,
  ) {
    this.owner = owner;
  }

  name(id: Id, real_id: Id): void {
    this.real_ids.set(id, real_id);
  }

  /** All tables whose records name users; for superswap. */
  get tables(): readonly Map<Id, object>[] {
    const { contacts, keys, groups, invites, system, directory } = this;
    const { items, labels, purchases, shortlinks, webhooks } = this;
    const people = [contacts, keys, groups, invites, system, directory];
    return [...people, items, labels, purchases, shortlinks, webhooks];
  }
}

/** What factory.md, "Spawning an organization" and quickstart make. */
export function spawned(drive_id: Id, owner: Id, now: number): World {
  const world = new World(drive_id, owner);
  addContact(world, { id: owner, created_by: owner });
  world.drives.set(drive_id, { id: drive_id });
  const made_by = null;
  const key = { user_id: owner, made_by, begins_at: 0, expires_at: -1, is_revoked: false };
  world.keys.set('ApiKeyID_admin', { id: 'ApiKeyID_admin', ...key });
  const group = 'GroupID_all';
  world.groups.set(group, { id: group, owner });
  world.default_group = group;
  addInvite(world, {
    id: 'GroupInviteID_all',
    group_id: group,
    inviter_id: owner,
    invitee_id: owner,
    role: 'ADMIN',
  });
  const grant = { resource_id: 'TABLE_DISKS', granted_to: group, granted_by: owner };
  // "VIEW on TABLE_DISKS to that group, from now, never expiring".
  const own = { permission_types: ['VIEW'], begin_date_ms: now };
  addGrant(world.system, { id: 'SystemPermissionID_all', ...grant, ...own });
  return world;
}

export function addContact(
  world: World,
  contact: Pick<Contact, 'id' | 'created_by'> & Partial<Contact>,
): void {
  const none = { has_code: false, is_placeholder: false, from_placeholder_user_id: null };
  world.contacts.set(contact.id, { ...none, past_user_ids: [], ...contact });
}

/** Valid from the start and for ever, unless said otherwise. */
export function addInvite(
  world: World,
  invite: Pick<Invite, 'id' | 'group_id' | 'inviter_id' | 'invitee_id' | 'role'> & Partial<Invite>,
): void {
  const rest = { active_from: 0, expires_at: -1, has_code: false, from_placeholder_invitee: null };
  world.invites.set(invite.id, { ...rest, ...invite });
  world.used.add(invite.id);
}

export function addGrant(
  table: Map<Id, Grant>,
  grant: Pick<Grant, 'id' | 'resource_id' | 'granted_to' | 'granted_by' | 'permission_types'> &
    Partial<Grant>,
): void {
  const window = { begin_date_ms: 0, expiry_date_ms: -1 };
  const rest = { inheritable: false, has_code: false, has_password: false };
  table.set(grant.id, { ...window, ...rest, ...grant });
}

/** Removes the records of a table that a condition holds for. */
export function removeWhere<R>(table: Map<Id, R>, condition: (record: R) => boolean): void {
  for (const [id, record] of table) if (condition(record)) table.delete(id);
}
