import { event, type DomainEvent } from '../../foundation/events.js';
import { Access, type Evidence } from '../../access/access.js';
import { manageEnd } from '../../access/ceiling.js';
import { isThere } from '../../access/ancestor-paths.js';
import { type Disk, type Folder, isCloud } from '../../disks/record.js';
import {
  type Accepted,
  accept,
  type Context,
  type Decider,
  type Decision,
} from '../../foundation/decision.js';
import { given } from '../../kernel/fields.js';
import {
  isRefusal,
  type Refusal,
  refuse,
  refuseField,
  refuseIdInUse,
} from '../../kernel/refusal.js';
import type { CreateFile, CreateFolder } from '../commands.js';
import { endOf, endOnDisk } from '../items/expiry.js';
import { findItem } from '../items/find.js';
import { labelIds } from '../../relations/labels.js';
import { extensionOf, freeName, givenExtension, storedName } from '../items/names.js';
import { pathIn, refuseLongPath } from '../items/path-length.js';
import { ownRawUrl } from '../items/object.js';
import type { FileRecord } from '../record.js';
import { holds, mayEndAt } from '../items/rights.js';
import {
  isInTrash,
  isTrash,
  type Item,
  type ItemKind,
  itemNamed,
  refuseInTrash,
} from '../../relations/directory-tree.js';

/** The item of a create command: a new one, or an existing one. */
export interface Created {
  readonly item_id: string;
  readonly notes: string;
}

const DETAILS = ['shortcut_to', 'notes', 'external_id', 'external_payload'] as const;

/** The validated place of a new item. */
interface Place {
  readonly parent: Folder;
  readonly disk: Disk;
  readonly allowed: readonly string[];
}

function refusePlace({ state }: Context, parent: Folder, disk_id: string): Refusal | null {
  if (parent.disk_id !== disk_id)
    return refuseField('/disk_id', 'must be the disk of the parent folder');
  if (isInTrash(state, parent) || isTrash(state, parent))
    return refuseInTrash('/parent_folder_uuid');
  return null;
}

function placeOf(context: Context, command: CreateFile | CreateFolder): Place | Refusal {
  const { state } = context;
  const access = Access.of(context);
  const parent = findItem(context, 'folder', command.parent_folder_uuid, '/parent_folder_uuid');
  if (isRefusal(parent)) return parent;
  const allowed = holds(access, 'UPLOAD', parent.id);
  if (!allowed) return access.denied(parent.id);
  if (command.has_sovereign_permissions && !holds(access, 'MANAGE', parent.id))
    return access.denied(parent.id);
  const refused = refusePlace(context, parent, command.disk_id);
  if (refused) return refused;
  return { parent, disk: state.disks.get(parent.disk_id)!, allowed };
}

/** The resolution of a name conflict: create a new item, or keep or renew the existing sibling. */
type ConflictResolution =
  { readonly name: string } | { readonly keeps: Item } | { readonly renews: Item };

function resolveConflict(
  context: Context,
  kind: ItemKind,
  command: CreateFile | CreateFolder,
  name: string,
): ConflictResolution | Refusal {
  const { state, now } = context;
  const folder_id = command.parent_folder_uuid;
  const existing = itemNamed(state, kind, folder_id, name, now);
  const policy = command.file_conflict_resolution ?? 'KEEP_BOTH';
  if (!existing) return { name };
  if (policy === 'KEEP_BOTH') return { name: freeName(state, kind, folder_id, name, now) };
  if (policy === 'KEEP_ORIGINAL') return refuse('name-in-use');
  const access = Access.of(context);
  if (!holds(access, 'EDIT', existing.id)) return access.denied();
  const is_newer = policy === 'KEEP_NEWER' && existing.last_updated_date_ms > now;
  return is_newer ? { keeps: existing } : { renews: existing };
}

function itemFields(context: Context, command: CreateFile | CreateFolder, place: Place) {
  const { caller, state } = context;
  const is_sovereign = command.has_sovereign_permissions ?? false;
  const needs_grant = is_sovereign && caller.user_id !== state.organization.owner_id;
  const ends_at = needs_grant ? manageEnd(Access.of(context), place.parent.id) : -1;
  return {
    parent_folder_uuid: place.parent.id,
    disk_id: place.disk.id,
    created_by: caller.user_id,
    expires_at: command.expires_at ?? -1,
    has_sovereign_permissions: is_sovereign,
    shortcut_to: command.shortcut_to ?? null,
    notes: command.notes ?? null,
    external_id: command.external_id ?? null,
    external_payload: command.external_payload ?? null,
    label_ids: labelIds(state, command.labels ?? []),
    creator_permission_id: needs_grant ? command.fresh.permission_id : null,
    ...(ends_at > 0 && { creator_permission_ends: ends_at }),
  };
}

interface FileCommand extends CreateFile {
  /** In the form of `givenExtension`. */
  readonly extension: string;
}

function contentFields(context: Context, command: FileCommand, name: string, file_id: string) {
  const raw_url = ownRawUrl(context, command.raw_url ?? '', file_id);
  return {
    extension: extensionOf(name, command.extension),
    file_size: command.file_size,
    raw_url,
    upload_status: raw_url ? ('COMPLETED' as const) : ('QUEUED' as const),
    keyed_by_version: true,
  };
}

/** The expiry of a file. A disk may limit the lifetime of its files; a new version never shortens that of the file. */
export function fileExpiry(
  context: Context,
  disk: Disk,
  command: { readonly expires_at?: number },
  file?: FileRecord,
): { expires_at?: number } {
  const expires_at = endOnDisk(disk, context.now);
  if (expires_at === null)
    return command.expires_at === undefined ? {} : { expires_at: command.expires_at };
  return file && endOf(file.expires_at) >= expires_at ? {} : { expires_at };
}

/** Permission for a new version of a file: EDIT, and that for an earlier expiry, if requested. */
function mayRenew(
  context: Context,
  access: Access,
  command: CreateFile,
  file: FileRecord,
): Evidence | null {
  const { expires_at } = fileExpiry(context, context.state.disks.get(file.disk_id)!, command, file);
  return access.both(
    () => holds(access, 'EDIT', file.id),
    () => mayEndAt(access, file, expires_at),
  );
}

/** The event of a new version, with its content and the other fields of the payload. */
function newVersion(context: Context, command: FileCommand, file: FileRecord): DomainEvent {
  const { state, caller } = context;
  const disk = state.disks.get(file.disk_id)!;
  return event('FileVersionCreated', {
    file_id: file.id,
    version_id: command.fresh.version_id,
    updated_by: caller.user_id,
    ...contentFields(context, command, file.name, file.id),
    ...given(command, DETAILS),
    ...fileExpiry(context, disk, command, file),
    ...(command.labels && { label_ids: labelIds(state, command.labels) }),
  });
}

function acceptExisting(to: Item, notes: string, decided: Accepted): Accepted {
  return { ...decided, outcome: { item_id: to.id, notes } satisfies Created };
}

export const createFile: Decider<CreateFile> = (context, input) => {
  const { state, now } = context;
  const name = storedName(input.name);
  if (typeof name !== 'string') return name;
  const extension = givenExtension(input.extension);
  if (typeof extension !== 'string') return extension;
  const command: FileCommand = { ...input, extension };
  const overwritten = command.id === undefined ? undefined : state.files.get(command.id);
  if (overwritten && isThere(state, overwritten, now))
    return overwrite(context, command, overwritten);
  const place = placeOf(context, command);
  if (isRefusal(place)) return place;
  const { disk, allowed } = place;
  if (command.id && state.isUsed(state.files, command.id)) return refuseIdInUse();
  const unready = refuseWithoutCredentials(disk);
  if (unready) return unready;
  const resolution = resolveConflict(context, 'file', command, name);
  if (isRefusal(resolution)) return resolution;
  if ('keeps' in resolution)
    return acceptExisting(
      resolution.keeps,
      'The existing file is newer and was kept.',
      accept(allowed),
    );
  if ('renews' in resolution) {
    const file = resolution.renews as FileRecord;
    const access = Access.of(context);
    const both = access.both(
      () => allowed,
      () => mayRenew(context, access, command, file),
    );
    if (!both) return access.denied();
    const version = newVersion(context, command, file);
    return acceptExisting(
      resolution.renews,
      'Stored as a new version of the existing file.',
      accept(both, version),
    );
  }
  const file_id = command.id ?? command.fresh.id;
  const created = event('FileCreated', {
    ...itemFields(context, command, place),
    ...fileExpiry(context, disk, command),
    file_id,
    version_id: command.fresh.version_id,
    name: resolution.name,
    ...contentFields(context, command, resolution.name, file_id),
  });
  return { ...accept(allowed, created), outcome: newItem(file_id, name, resolution.name) };
};

/** Creates a new version of the file with the id in the payload, whatever its folder. */
function overwrite(context: Context, command: FileCommand, file: FileRecord): Decision {
  const access = Access.of(context);
  const allowed = mayRenew(context, access, command, file);
  if (!allowed) return access.denied(file.id);
  if (file.disk_id !== command.disk_id)
    return refuseField('/disk_id', 'must be the disk of the file that is overwritten');
  if (isInTrash(context.state, file)) return refuseInTrash('/id');
  const unready = refuseWithoutCredentials(context.state.disks.get(file.disk_id)!);
  if (unready) return unready;
  const version = newVersion(context, command, file);
  return acceptExisting(
    file,
    'Stored as a new version of the existing file.',
    accept(allowed, version),
  );
}

export const createFolder: Decider<CreateFolder> = (context, command) => {
  const { state } = context;
  const name = storedName(command.name);
  if (typeof name !== 'string') return name;
  const place = placeOf(context, command);
  if (isRefusal(place)) return place;
  const { allowed } = place;
  if (command.id && state.isUsed(state.folders, command.id)) return refuseIdInUse();
  const resolution = resolveConflict(context, 'folder', command, name);
  if (isRefusal(resolution)) return resolution;
  if (!('name' in resolution)) {
    const existing = 'keeps' in resolution ? resolution.keeps : resolution.renews;
    return acceptExisting(existing, 'The existing folder was kept.', accept(allowed));
  }
  const too_long = refuseLongPath(pathIn(state, place.parent.id, resolution.name), '/name');
  if (too_long) return too_long;
  const folder_id = command.id ?? command.fresh.id;
  const created = event('FolderCreated', {
    ...itemFields(context, command, place),
    folder_id,
    name: resolution.name,
  });
  return { ...accept(allowed, created), outcome: newItem(folder_id, name, resolution.name) };
};

function newItem(item_id: string, requested_name: string, name: string): Created {
  return { item_id, notes: requested_name === name ? 'Created.' : `Created as ${name}.` };
}

/** Refuses an upload URL on a cloud disk without credentials. */
export function refuseWithoutCredentials(disk: Disk): Refusal | null {
  return isCloud(disk) && !disk.auth_json ? refuse('disk-without-credentials') : null;
}
