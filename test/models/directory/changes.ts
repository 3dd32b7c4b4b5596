import { expiryOf, fileExtension, labelsOf, type Payload, textOf } from './inputs.js';
import { type Kind, storedName } from './names.js';
import { type Caller, type Item, type Tree, TYPES } from './tree.js';

/** New items and new versions: directory.md section 4, CREATE_*. */

export function newItem(
  tree: Tree,
  caller: Caller,
  kind: Kind,
  parent: Item,
  payload: Payload,
  shown: any,
): Item {
  const name = tree.freeName(parent, kind, storedName(payload.name)!);
  const item: Item = {
    kind,
    id: payload.id ?? newId(tree, shown?.id),
    disk: parent.disk,
    name,
    parent,
    labels: labelsOf(payload, tree.state),
    created_by: tree.users[caller],
    created_at: tree.now,
    updated_by: tree.users[caller],
    updated_at: tree.now,
    is_touched: false,
    is_copied: false,
    deleted: false,
    expires_at: expiryOf(payload),
    prior_folder_id: null,
    prior_name: name,
    trashed_by: null,
    trashed_at: 0,
    sovereign: payload.has_sovereign_permissions ?? false,
    shortcut_to: payload.shortcut_to ?? null,
    notes: textOf(payload.notes),
    external_id: textOf(payload.external_id),
    external_payload: textOf(payload.external_payload),
    versions: [],
    extension: '',
    raw_url: null,
    upload_status: '',
  };
  if (item.id !== '?') tree.state.used_ids.add(item.id);
  // directory.md 4: "a creator other than the owner gets all six types directly on it, inheritable".
  if (item.sovereign && caller !== 'owner')
    tree.state.grants.push({
      id: '?',
      item,
      granted_to: 'member',
      types: TYPES,
      inheritable: true,
    });
  if (kind === 'file') {
    // directory.md 2: a new file on a disk with `autoexpire_ms` "gets `expires_at` = now + that value, overriding the request".
    if (item.disk.autoexpire_ms) item.expires_at = tree.now + item.disk.autoexpire_ms;
    addVersion(tree, caller, item, payload, shown);
  }
  tree.state.items.push(item);
  return item;
}

/** directory.md 4, REPLACE: "same file id, new version, content fields from payload". */
export function overwrite(
  tree: Tree,
  caller: Caller,
  file: Item,
  payload: Payload,
  shown: any,
): void {
  addVersion(tree, caller, file, payload, shown);
  Object.assign(file, { updated_by: tree.users[caller], updated_at: tree.now, is_touched: false });
  // The contract does not say whether the other fields follow the payload: either is taken from the answer.
  for (const field of ['notes', 'external_id', 'external_payload', 'shortcut_to'] as const)
    if (payload[field] !== undefined && shown?.[field] === textOf(payload[field]))
      file[field] = textOf(payload[field]);
  const given = labelsOf(payload, tree.state);
  const values = (labels: readonly { value: string }[]) => labels.map(({ value }) => value).sort();
  if (payload.labels && String(values(given)) === String(shown?.labels?.toSorted()))
    file.labels = given;
  const times = [file.expires_at, tree.now + (file.disk.autoexpire_ms ?? 0)];
  if (payload.expires_at != null) times.push(expiryOf(payload));
  if (times.includes(shown?.expires_at)) file.expires_at = shown.expires_at;
}

function addVersion(tree: Tree, caller: Caller, file: Item, payload: Payload, shown: any): void {
  file.versions.push({
    id: newId(tree, shown?.version_id),
    created_by: tree.users[caller],
    created_at: tree.now,
    size: payload.file_size,
    sha256: null,
    media_type: null,
  });
  file.extension = fileExtension(file.name, payload);
  file.raw_url = payload.raw_url ?? null;
  // directory.md 4: "`upload_status`: COMPLETED if `raw_url` was given, else QUEUED".
  file.upload_status = file.raw_url === null ? 'QUEUED' : 'COMPLETED';
}

/** An id that the service chose: never one that was used before. */
export function newId(tree: Tree, id: unknown): string {
  if (typeof id !== 'string') return '?';
  if (tree.state.used_ids.has(id)) throw new Error(`The new id ${id} was used before.`);
  tree.state.used_ids.add(id);
  return id;
}

/** Takes over `last_updated_*` of a touched item from a record; they may only be as before or of this moment. */
export function learnUpdate(tree: Tree, item: Item, shown: any): void {
  item.is_touched = false;
  if (shown?.last_updated_date_ms !== tree.now) return;
  item.updated_at = tree.now;
  item.updated_by = shown.last_updated_by;
}

/** The contract names what a copy keeps ("labels and notes") but not whether these fields are kept too. */
export function learnCopy(tree: Tree, item: Item, shown: any): void {
  item.is_copied = false;
  for (const field of ['external_id', 'external_payload', 'shortcut_to'] as const)
    if (shown?.[field] === null) item[field] = null;
  const times = [-1, tree.now + (item.disk.autoexpire_ms ?? 0)];
  if (times.includes(shown?.expires_at)) item.expires_at = shown.expires_at;
  if (item.kind === 'folder') return;
  if (shown?.raw_url !== item.raw_url) item.raw_url = null;
  if (['QUEUED', 'COMPLETED'].includes(shown?.upload_status))
    item.upload_status = shown.upload_status;
}
