import type { RecordBase } from '../../kernel/record.js';
import type { DriveState } from '../../foundation/state.js';
import { Access } from '../../access/access.js';
import type { Folder } from '../../disks/record.js';
import type { Context } from '../../foundation/decision.js';
import type { Clause } from '../../foundation/reading.js';
import type { Table } from '../../kernel/table.js';
import { labelValues } from '../../relations/labels.js';
import { seesFullPaths } from '../items/item-view.js';
import type { Item } from '../../relations/directory-tree.js';

/** Clauses that match files and folders by their displayed paths. */
export interface PathMatches {
  readonly files: readonly Clause[];
  readonly folders: readonly Clause[];
}

/**
 * Matches of a text (in lower case) in paths. Paths are not stored: a match in a folder's name finds all folders below
 * it and their content. Only a text with a separator requires building every path.
 */
export function pathMatches(context: Context, text: string): PathMatches {
  // `..` only occurs in clipped paths.
  if (/[/:]/.test(text) || text === '.' || text === '..') return spelledMatches(context, text);
  const { state } = context;
  const access = Access.of(context);
  const disk_ids = new Set<string>();
  const folder_ids = new Set<string>();
  const roots = new Set<string>();
  for (const disk of state.disks.values()) {
    // Every path begins with the disk's id, clipped or not.
    if (disk.id.toLowerCase().includes(text)) disk_ids.add(disk.id);
    else if (seesFullPaths(access, disk.id)) roots.add(disk.root_folder);
  }
  for (const id of foldersNamed(state, text)) addBelow(state, id, roots, folder_ids);
  const found: readonly Clause[] = [
    { field: 'disk_id', among: disk_ids },
    { field: 'parent_folder_uuid', among: folder_ids },
  ];
  return { files: found, folders: found };
}

/** Adds a folder below one of the roots, and all folders below it: its name is in the paths of their content. */
function addBelow(
  state: DriveState,
  id: string,
  roots: ReadonlySet<string>,
  found: Set<string>,
): void {
  // Paths do not contain the name of a root.
  if (found.has(id) || roots.has(id) || !liesBelow(state, id, roots)) return;
  const entered = [id];
  for (const folder_id of entered) {
    if (found.has(folder_id)) continue;
    found.add(folder_id);
    for (const child_id of state.folders.by('parent', folder_id)) entered.push(child_id);
  }
}

function liesBelow(state: DriveState, id: string, roots: ReadonlySet<string>): boolean {
  for (let at = state.folders.get(id); at;) {
    const { parent_folder_uuid: parent_id } = at;
    if (!parent_id) return false;
    if (roots.has(parent_id)) return true;
    at = state.folders.get(parent_id);
  }
  return false;
}

/** Names of all folders in lower case, each between separators, with their offsets. */
interface FolderNames {
  readonly version: number;
  readonly joined: string;
  readonly starts: readonly number[];
  readonly ids: readonly string[];
}

/** Rebuilt after a folder has changed. */
const names_of = new WeakMap<DriveState, FolderNames>();

function folderNames(state: DriveState): FolderNames {
  const { version } = state.folders;
  const known = names_of.get(state);
  if (known?.version === version) return known;
  const starts: number[] = [];
  const ids: string[] = [];
  let joined = SEPARATOR;
  for (const { id, name } of state.folders.values()) {
    starts.push(joined.length);
    ids.push(id);
    joined += name.toLowerCase() + SEPARATOR;
  }
  const names = { version, joined, starts, ids };
  names_of.set(state, names);
  return names;
}

/** Folder names never contain it. */
const SEPARATOR = '/';

/** Ids of the folders whose names contain a text (in lower case, without separator). */
function* foldersNamed(state: DriveState, text: string): Generator<string> {
  const { joined, starts, ids } = folderNames(state);
  let nth = 0;
  for (let at = joined.indexOf(text); at >= 0; at = joined.indexOf(text, starts[nth]!)) {
    while (nth < ids.length && starts[nth]! <= at) nth++;
    yield ids[nth - 1]!;
    if (nth === ids.length) return;
  }
}

/**
 * Matches of a text with separators. Names contain no separator, so the part after the last one must begin the file's
 * name.
 */
function spelledMatches(context: Context, text: string): PathMatches {
  const { state } = context;
  const access = Access.of(context);
  const last = Math.max(text.lastIndexOf('/'), text.lastIndexOf(':'));
  const [folder_path, name_start] = [text.slice(0, last + 1), text.slice(last + 1)];
  const folders = new Set<string>();
  const open_folders = new Set<string>();
  const files = new Set<string>();
  for (const disk of state.disks.values()) {
    const is_full = seesFullPaths(access, disk.id);
    const top = `${disk.id}::`.toLowerCase();
    const entered: { folder: Folder; path: string; clipped: string }[] = [
      { folder: state.folders.get(disk.root_folder)!, path: `${top}/`, clipped: top },
    ];
    for (const { folder, path, clipped } of entered) {
      const around = is_full ? path : clipped;
      if (around.includes(text)) open_folders.add(folder.id);
      else if (last >= 0 && around.endsWith(folder_path))
        for (const file of state.files.where('parent', folder.id))
          if (file.name.toLowerCase().startsWith(name_start)) files.add(file.id);
      for (const child of state.folders.where('parent', folder.id)) {
        const name = `${child.name.toLowerCase()}/`;
        if (`${around}${name}`.includes(text)) folders.add(child.id);
        entered.push({ folder: child, path: `${path}${name}`, clipped: `${top}../` });
      }
    }
  }
  return {
    files: [
      { field: 'parent_folder_uuid', among: open_folders },
      { field: 'id', among: files },
    ],
    folders: [{ field: 'id', among: folders }],
  };
}

/** Items whose notes, external id, external payload or labels contain the text (in lower case). */
export function metadataMatches<R extends Item & RecordBase>(
  state: DriveState,
  items: Table<R>,
  text: string,
): Clause {
  const among = new Set<string>();
  for (const item of items.where('described', 'somehow'))
    if (hasMetadata(state, item, text)) among.add(item.id);
  return { field: 'id', among };
}

function hasMetadata(state: DriveState, item: Item, text: string): boolean {
  const { notes, external_id, external_payload, label_ids } = item;
  return (
    holdsText(notes, text) ||
    holdsText(external_id, text) ||
    holdsText(external_payload, text) ||
    (label_ids !== undefined && labelValues(state, item).some((value) => value.includes(text)))
  );
}

function holdsText(value: string | null | undefined, text: string): boolean {
  return value ? value.toLowerCase().includes(text) : false;
}
