import { record } from './answers.js';
import { learnUpdate, newId, newItem, overwrite } from './changes.js';
import { ANY_TEXT, type Decision, refuse, UploadForm } from './decision.js';
import {
  expiryOf,
  fileExtension,
  isCreateValid,
  isUpdateValid,
  labelsOf,
  type Payload,
  resolutionOf,
  textOf,
  updatesSomething,
} from './inputs.js';
import { type Kind, storedName } from './names.js';
import type { Caller, Item, Tree } from './tree.js';

/** CREATE_* and UPDATE_* of directory.md section 4. */

export function create(tree: Tree, caller: Caller, kind: Kind, payload: Payload): Decision {
  if (!isCreateValid(payload, kind)) return refuse(400);
  const parent = tree.find(payload.parent_folder_uuid);
  const same = kind === 'file' && payload.id ? tree.find(payload.id) : undefined;
  // "CREATE_FILE with `id` of an existing file and EDIT on it: overwrites that file as a new version".
  if (same) return overwriteById(tree, caller, same, parent, payload);
  if (!parent) return refuse(404);
  if (!tree.may(caller, 'UPLOAD', parent)) return refuse(403);
  // "`has_sovereign_permissions` true on create needs MANAGE on the parent".
  if (payload.has_sovereign_permissions && !tree.may(caller, 'MANAGE', parent)) return refuse(403);
  // "`disk_id` must be the parent's disk (400). `parent_folder_uuid` inside trash → 400".
  if (payload.disk_id !== parent.disk.id || tree.isInTrash(parent)) return refuse(400);
  // "`id` already used otherwise → 400"; README 3: "even by a deleted record".
  if (payload.id && tree.state.used_ids.has(payload.id)) return refuse(400);
  const name = storedName(payload.name)!;
  const existing = tree.sibling(parent, kind, name);
  const resolution = resolutionOf(payload);
  if (existing && resolution !== 'KEEP_BOTH') {
    if (resolution === 'KEEP_ORIGINAL') return refuse(409);
    // "act on the existing item only with EDIT on it (create), else the action fails 403".
    if (!tree.may(caller, 'EDIT', existing)) return refuse(403);
    // KEEP_NEWER: "as REPLACE unless the existing one was updated later than now", which no clock here allows.
    if (kind === 'file') return overwriteFile(tree, caller, existing, payload);
    return {
      apply: () => ({ folder: record(tree, caller, existing), notes: ANY_TEXT }),
    };
  }
  return {
    apply: (result) => {
      const item = newItem(tree, caller, kind, parent, payload, result[kind]);
      return { [kind]: record(tree, caller, item), notes: ANY_TEXT, ...upload(kind, item) };
    },
  };
}

/** directory.md 4: "LOCAL_SSD: a form to the service itself; other types: `{"url":"","fields":{}}`". */
function upload(kind: Kind, item: Item): object {
  // Whether a file whose bytes lie at its `raw_url` gets a form is not said.
  return kind === 'file' && !item.raw_url
    ? { upload: new UploadForm(item.disk.type === 'LOCAL_SSD') }
    : {};
}

/** What the payload's own place and name mean when they are not those of the file is not said. */
function overwriteById(
  tree: Tree,
  caller: Caller,
  file: Item,
  parent: Item | undefined,
  payload: Payload,
): Decision {
  const is_odd =
    parent !== file.parent ||
    storedName(payload.name) !== file.name ||
    Boolean(payload.has_sovereign_permissions);
  if (!tree.may(caller, 'EDIT', file)) return is_odd ? refuse(403, 400, 404) : refuse(403, 400);
  const decision = overwriteFile(tree, caller, file, payload);
  if (!is_odd) return decision;
  if ('refused' in decision) return refuse(...decision.refused, 400, 403, 404);
  return { ...decision, may_refuse: [400, 403, 404] };
}

function overwriteFile(tree: Tree, caller: Caller, file: Item, payload: Payload): Decision {
  if (payload.disk_id !== file.disk.id || tree.isInTrash(file)) return refuse(400);
  const refusal = expiryRefusal(tree, caller, file, payload);
  // Of a disk with `autoexpire_ms` directory.md 2 says "overriding the request": then nothing is shortened.
  if (refusal && !file.disk.autoexpire_ms) return refusal;
  const least = refusal ? file.expires_at : -1;
  return {
    ...(refusal && { may_refuse: [403] }),
    apply: (result) => {
      if (result?.file?.expires_at < least)
        throw new Error('EDIT has shortened the life of a file.');
      overwrite(tree, caller, file, payload, result.file);
      return { file: record(tree, caller, file), notes: ANY_TEXT, ...upload('file', file) };
    },
  };
}

/**
 * permissions-model.md 7, UPDATE_*: "an `expires_at` that is set, shortened or lies in the past additionally what
 * DELETE_* needs, also on CREATE_FILE over an existing file".
 */
function expiryRefusal(tree: Tree, caller: Caller, item: Item, payload: Payload): Decision | null {
  if (payload.expires_at == null) return null;
  const next = expiryOf(payload);
  const shortens = next > 0 && (item.expires_at <= 0 || next < item.expires_at || next <= tree.now);
  return shortens && !tree.mayDelete(caller, item) ? refuse(403) : null;
}

export function update(tree: Tree, caller: Caller, kind: Kind, payload: Payload): Decision {
  if (!isUpdateValid(payload, kind)) return refuse(400);
  const item = tree.find(payload.id);
  // README 4: "Nothing recognised to update → 400"; the order of checks (README 2) does not say when.
  if (!updatesSomething(payload, kind)) return refuse(400, item ? 403 : 404);
  if (!item) return refuse(404);
  // "Root and trash folders cannot be updated by name (403/400)"; disks.md: the root folder "never expires".
  const of_top = tree.isTop(item) && (payload.name !== undefined || payload.expires_at != null);
  if (!tree.may(caller, 'EDIT', item)) return of_top ? refuse(400, 403) : refuse(403);
  if (of_top) return refuse(400, 403);
  const refusal = expiryRefusal(tree, caller, item, payload);
  if (refusal) return refusal;
  const name = payload.name === undefined ? item.name : storedName(payload.name)!;
  // "A rename onto an existing sibling → 409 unless it is the same item".
  const sibling = item.parent && tree.sibling(item.parent, kind, name);
  if (sibling && sibling !== item) return refuse(409);
  const leaves = leavesContent(item, payload);
  if (leaves && payload.request_presigned_url) return refuse(400);
  return {
    apply: (result) => {
      if (leaves) addVersionElsewhere(tree, caller, item, result.file);
      change(tree, caller, item, payload, name);
      // Whether a file without a dot keeps its extension when its own name is given again is not said.
      if (payload.name !== undefined && result.file?.extension === '' && !name.includes('.'))
        item.extension = '';
      if (item.is_touched) learnUpdate(tree, item, result[kind]);
      const form = payload.request_presigned_url ? upload(kind, item) : {};
      const notes = kind === 'file' ? { notes: ANY_TEXT } : {};
      return { [kind]: record(tree, caller, item), ...notes, ...form };
    },
  };
}

/** content.md 1: "a new version never overwrites an old one", so a URL elsewhere starts one if there are bytes. */
function leavesContent(item: Item, { raw_url }: Payload): boolean {
  const has_bytes = item.kind === 'file' && item.versions.at(-1)!.sha256 !== null;
  return raw_url != null && raw_url !== item.raw_url && has_bytes;
}

function addVersionElsewhere(tree: Tree, caller: Caller, item: Item, shown: any): void {
  item.versions.push({
    ...item.versions.at(-1)!,
    id: newId(tree, shown?.version_id),
    created_by: tree.users[caller],
    created_at: tree.now,
    sha256: null,
    media_type: null,
  });
  item.upload_status = 'COMPLETED';
}

function change(tree: Tree, caller: Caller, item: Item, payload: Payload, name: string): void {
  const before = JSON.stringify([item.name, item.labels, ...ownFields(item)]);
  if (name !== item.name && item.kind === 'file') item.extension = fileExtension(name, payload);
  if (name !== item.name) item.prior_name = name;
  item.name = name;
  if (payload.labels !== undefined) item.labels = labelsOf(payload, tree.state);
  // README 4: "Null on update clears nullable text"; timestamps stay.
  for (const field of ['notes', 'external_id', 'external_payload', 'shortcut_to'] as const)
    if (payload[field] !== undefined) item[field] = textOf(payload[field]);
  if (payload.expires_at != null) item.expires_at = expiryOf(payload);
  if (payload.raw_url !== undefined) item.raw_url = payload.raw_url;
  // directory.md 4: "`upload_status`: COMPLETED if `raw_url` was given".
  if (payload.raw_url && !payload.request_presigned_url) item.upload_status = 'COMPLETED';
  if (payload.upload_status !== undefined) item.upload_status = payload.upload_status;
  // An update that changes nothing may leave `last_updated_*` alone: the contract does not say.
  if (before === JSON.stringify([item.name, item.labels, ...ownFields(item)])) tree.touch(item);
  else
    Object.assign(item, {
      updated_by: tree.users[caller],
      updated_at: tree.now,
      is_touched: false,
    });
}

function ownFields(item: Item): unknown[] {
  const { notes, external_id, external_payload, shortcut_to, expires_at } = item;
  const texts = [notes, external_id, external_payload, shortcut_to, expires_at];
  return [...texts, item.raw_url, item.upload_status];
}
