import { event } from '../../foundation/events.js';
import { Access, type Evidence } from '../../access/access.js';
import { isExpired } from '../../access/resources.js';
import { visibleChildren } from '../../access/children.js';
import { KnownTypes } from '../../access/known-types.js';
import type { Folder } from '../../disks/record.js';
import { type Accepted, accept, type Context, type Decider } from '../../foundation/decision.js';
import { isRefusal, type Refusal, refuse, refuseField } from '../../kernel/refusal.js';
import type { CopyItem, TransferItem } from '../commands.js';
import { arrive } from '../items/conflict.js';
import { refuseTooMany, refuseTooManyLabels } from '../items/count.js';
import { endOnDisk } from '../items/expiry.js';
import { findItem, folderAt, parseFolderPath } from '../items/find.js';
import { pathIn, refuseLongPaths } from '../items/path-length.js';
import { deniedArrival, holds, mayPut, mayTake } from '../items/rights.js';
import {
  isFile,
  isInTrash,
  isTrash,
  isWithin,
  type Item,
  type ItemKind,
  refuseInTrash,
} from '../../relations/directory-tree.js';

/** The item in the answer: the copied or moved one, or the existing one that was kept. */
export interface Transferred {
  readonly item_id: string;
}

const ID = '/destination_folder_id';
const PATH = '/destination_folder_path';

/** Refuses a malformed command, whatever the state. */
function refuseMalformed(command: TransferItem): Refusal | null {
  const { destination_folder_id: id, destination_folder_path: path } = command;
  if (id !== undefined) return null;
  if (path === undefined) return refuseField(ID, 'or destination_folder_path is required');
  const parsed = parseFolderPath(path, PATH);
  return isRefusal(parsed) ? parsed : null;
}

/** The field that names the destination. */
function pointerOf({ destination_folder_id: id }: TransferItem): string {
  return id === undefined ? PATH : ID;
}

function destinationOf(context: Context, command: TransferItem): Folder | Refusal {
  const { destination_folder_id: id, destination_folder_path: path } = command;
  if (id !== undefined) return findItem(context, 'folder', id, ID);
  return folderAt(context, path!, PATH);
}

/** Refuses an impossible transfer, after permissions are checked. */
function refuseTransfer(
  { state }: Context,
  item: Item,
  to: Folder,
  command: TransferItem,
): Refusal | null {
  if (item.parent_folder_uuid === null) return refuse('top-folder');
  if (isInTrash(state, item)) return refuseInTrash('/id');
  if (to.disk_id !== item.disk_id) return refuse('other-disk');
  if (isTrash(state, to) || isInTrash(state, to)) return refuseInTrash(pointerOf(command));
  if (isWithin(state, to, item.id)) return refuse('into-itself');
  return null;
}

/** Refuses a destination where a path would be too long. */
function refuseLongArrival(
  context: Context,
  item: Item,
  to: Folder,
  name: string,
  command: TransferItem,
): Refusal | null {
  return refuseLongPaths(context, item, pathIn(context.state, to.id, name), pointerOf(command));
}

function answerWith(item_id: string, decided: Accepted): Accepted {
  return { ...decided, outcome: { item_id } satisfies Transferred };
}

/** The answer contains the whole record, so an existing item is only answered to callers who may VIEW it. */
function answerWithKept(access: Access, kept: Item, allowed: Evidence): Accepted | Refusal {
  // The caller may only know the item's name, so the refusal lists no missing permissions.
  if (!access.canDirectory('VIEW', kept.id)) return refuse('forbidden');
  return answerWith(kept.id, accept(allowed));
}

export function copyItem(kind: ItemKind): Decider<CopyItem> {
  return (context, command) => {
    const { state, now, caller } = context;
    const malformed = refuseMalformed(command);
    if (malformed) return malformed;
    const item = findItem(context, kind, command.id, '/id');
    if (isRefusal(item)) return item;
    const to = destinationOf(context, command);
    if (isRefusal(to)) return to;
    const access = Access.of(context);
    const allowed = access.both(
      () => holds(access, 'VIEW', item.id),
      () => holds(access, 'UPLOAD', to.id),
    );
    if (!allowed) return deniedArrival(access, item.id, to);
    const refused = refuseTransfer(context, item, to, command);
    if (refused) return refused;
    const { file_conflict_resolution: policy } = command;
    const arrival = arrive(context, item, to.id, item.name, policy, allowed);
    if (isRefusal(arrival)) return arrival;
    if ('keeps' in arrival) return answerWithKept(access, arrival.keeps, allowed);
    const too_much =
      refuseTooMany(context, item) ??
      refuseLongArrival(context, item, to, arrival.name, command) ??
      refuseTooManyLabels(context, item);
    if (too_much) return too_much;
    const copied = event('ItemCopied', {
      source_id: item.id,
      copy_id: command.fresh.id,
      parent_folder_uuid: to.id,
      name: arrival.name,
      created_by: caller.user_id,
      files_expire_at: endOnDisk(state.disks.get(item.disk_id)!, now),
      left_out: isFile(item) ? [] : hiddenContent(access, item),
    });
    return answerWith(command.fresh.id, accept(arrival.allowed, ...arrival.before, copied));
  };
}

/** The topmost items in a folder, at any depth, that the caller may not see. */
function hiddenContent(access: Access, folder: Item): string[] {
  if (access.is_owner) return [];
  const { state, now } = access;
  const hidden: string[] = [];
  const entered = [folder.id];
  const types = new KnownTypes(access);
  for (const at of entered) {
    const { sees } = visibleChildren(access, at, types);
    for (const file of state.files.where('parent', at))
      if (!isExpired(file, now) && !sees(file)) hidden.push(file.id);
    for (const child of state.folders.where('parent', at)) {
      if (isExpired(child, now)) continue;
      if (sees(child)) entered.push(child.id);
      else hidden.push(child.id);
    }
  }
  return hidden;
}

export function moveItem(kind: ItemKind): Decider<TransferItem> {
  return (context, command) => {
    const malformed = refuseMalformed(command);
    if (malformed) return malformed;
    const item = findItem(context, kind, command.id, '/id');
    if (isRefusal(item)) return item;
    const to = destinationOf(context, command);
    if (isRefusal(to)) return to;
    const access = Access.of(context);
    const allowed = access.both(
      () => mayTake(access, item.id),
      () => mayPut(access, item, to.id),
    );
    if (!allowed) return deniedArrival(access, item.id, to);
    const refused = refuseTransfer(context, item, to, command);
    if (refused) return refused;
    if (to.id === item.parent_folder_uuid) return answerWith(item.id, accept(allowed));
    const { file_conflict_resolution: policy } = command;
    const arrival = arrive(context, item, to.id, item.name, policy, allowed);
    if (isRefusal(arrival)) return arrival;
    if ('keeps' in arrival) {
      const kept = policy === 'KEEP_NEWER' ? arrival.keeps : item;
      return answerWithKept(access, kept, allowed);
    }
    const too_long = refuseLongArrival(context, item, to, arrival.name, command);
    if (too_long) return too_long;
    const moved = event('ItemMoved', {
      item_id: item.id,
      parent_folder_uuid: to.id,
      name: arrival.name,
    });
    return answerWith(item.id, accept(arrival.allowed, ...arrival.before, moved));
  };
}
