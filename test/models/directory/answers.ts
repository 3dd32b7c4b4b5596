import { Either, Unordered } from './decision.js';
import type { Caller, Item, Tree } from './tree.js';

/** Answers as the contract describes them: directory.md sections 2 and 3. */

/** directory.md 2, File and Folder. */
export function record(tree: Tree, caller: Caller, item: Item): Record<string, unknown> {
  // Of the record of an item that a command has just let expire the contract says nothing but that it is absent.
  if (!tree.isPresent(item)) return { id: item.id };
  const common = {
    id: item.id,
    name: item.name,
    parent_folder_uuid: item.parent?.id ?? null,
    full_directory_path: tree.shownPath(caller, item),
    clipped_directory_path: tree.clippedPath(item),
    labels: new Unordered(item.labels.map((label) => label.value)),
    created_by: item.created_by,
    created_at: item.created_at,
    last_updated_by: item.updated_by,
    last_updated_date_ms: item.updated_at,
    disk_id: item.disk.id,
    disk_type: item.disk.type,
    deleted: item.deleted,
    expires_at: item.expires_at,
    drive_id: tree.drive_id,
    restore_trash_prior_folder_uuid: item.prior_folder_id,
    has_sovereign_permissions: item.sovereign,
    shortcut_to: item.shortcut_to,
    notes: item.notes,
    external_id: item.external_id,
    external_payload: item.external_payload,
    permission_previews: tree.types(caller, item),
  };
  if (item.kind === 'folder') {
    const visible = (kind: 'file' | 'folder') =>
      tree.children(item, kind).filter((child) => tree.may(caller, 'VIEW', child));
    const [folders, files] = [visible('folder'), visible('file')];
    return {
      ...common,
      subfolder_uuids: new Unordered(folders.map(({ id }) => id)),
      file_uuids: new Unordered(files.map(({ id }) => id)),
      subfolder_count: folders.length,
      file_count: files.length,
    };
  }
  const current = item.versions.at(-1)!;
  const asset = `${tree.url}/v1/drive/${tree.drive_id}/directory/asset/${item.id}.${item.extension}`;
  return {
    ...common,
    version_id: current.id,
    file_version: item.versions.length,
    prior_version: item.versions.at(-2)?.id ?? null,
    next_version: null,
    extension: item.extension,
    file_size: current.size,
    raw_url: item.raw_url ?? asset,
    upload_status: item.upload_status,
    media_type: current.media_type,
    sha256: current.sha256,
    // content.md does not say it of bytes that lie elsewhere.
    ...(item.disk.type === 'LOCAL_SSD' &&
      !item.raw_url && {
        content_available: current.sha256 !== null,
      }),
  };
}

/** content.md 4: "versions newest first". */
export function versions(item: Item): object[] {
  return item.versions
    .map((version, index) => ({
      version_id: version.id,
      file_version: index + 1,
      size: version.size,
      sha256: version.sha256,
      media_type: version.media_type,
      created_by: version.created_by,
      created_at: version.created_at,
      is_current: index === item.versions.length - 1,
    }))
    .toReversed();
}

/** directory.md 2, Breadcrumb: "From the topmost ancestor the caller may VIEW down to the resource; stops above a sovereign resource". */
export function breadcrumbs(tree: Tree, caller: Caller, item: Item): unknown {
  const chain = [item];
  while (!chain[0]!.sovereign && chain[0]!.parent) chain.unshift(chain[0]!.parent);
  const visible = chain.map((each) => tree.may(caller, 'VIEW', each));
  // "The topmost ancestor" may be one above folders that the caller may not VIEW, or the topmost below all of them.
  const starts = [visible.indexOf(true), visible.lastIndexOf(false) + 1];
  return new Either(starts.map((from) => chain.slice(from).map((each) => crumb(tree, each))));
}

export function crumb(tree: Tree, item: Item): object {
  const is_root = item === item.disk.root;
  return {
    resource_id: item.id,
    resource_name: is_root ? item.disk.name : item.name,
    visibility_preview: visibility(tree, item),
  };
}

/** directory.md 2, `visibility_preview`: from counting grants placed directly on the resource. */
function visibility(tree: Tree, item: Item): string[] {
  return [true, false].flatMap((is_public) => {
    const types = tree.state.grants
      .filter((grant) => grant.item === item && (grant.granted_to === 'PUBLIC') === is_public)
      .flatMap((grant) => grant.types);
    const word = is_public ? 'PUBLIC' : 'PRIVATE';
    if (types.some((type) => ['UPLOAD', 'EDIT', 'DELETE', 'MANAGE'].includes(type)))
      return [`${word}_MODIFY`];
    return types.includes('VIEW') ? [`${word}_VIEW`] : [];
  });
}

/** Records of a list in the order in which the service sends them; equal sort keys in any order. */
export interface Listing {
  readonly folders: readonly Item[];
  readonly files: readonly Item[];
}

/** directory.md 3: visible children whose name contains `filters`, by name within folders, then files. */
export function listing(tree: Tree, caller: Caller, folder: Item, asked: ListBody): Listing {
  return sorted(
    tree.children(folder).filter((item) => tree.may(caller, 'VIEW', item)),
    asked,
  );
}

/** directory.md 3, Shared with me: "items on that disk, not deleted, on which a counting grant with VIEW is placed directly". */
export function sharedWithMe(
  tree: Tree,
  caller: Caller,
  disk_id: string,
  asked: ListBody,
): Listing {
  const mine = (granted_to: string) => caller === 'member' || granted_to !== 'member';
  const items = tree.state.items.filter(
    (item) =>
      item.disk.id === disk_id &&
      !item.deleted &&
      !tree.isTop(item) &&
      tree.isPresent(item) &&
      tree.state.grants.some(
        (grant) => grant.item === item && mine(grant.granted_to) && grant.types.includes('VIEW'),
      ),
  );
  return sorted(items, asked);
}

export interface ListBody {
  readonly filters?: string;
  readonly direction?: 'ASC' | 'DESC';
}

function sorted(items: readonly Item[], { filters = '', direction = 'ASC' }: ListBody): Listing {
  const sign = direction === 'ASC' ? 1 : -1;
  const matching = items
    // README 6: "`filters` is a case-insensitive substring test".
    .filter((item) => item.name.toLowerCase().includes(filters.toLowerCase()))
    .toSorted((a, b) => sign * Buffer.compare(sortKey(a), sortKey(b)));
  return {
    folders: matching.filter(({ kind }) => kind === 'folder'),
    files: matching.filter(({ kind }) => kind === 'file'),
  };
}

/** README 6: "Text orders compare the first 90 bytes of the case-folded text, then a digest of the id". */
export function sortKey(item: Item): Buffer {
  return Buffer.from(item.name.toLowerCase()).subarray(0, 90);
}
