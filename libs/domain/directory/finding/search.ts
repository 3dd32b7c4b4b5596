import type { DriveState } from '../../foundation/state.js';
import { Access } from '../../access/access.js';
import type { Folder } from '../../disks/record.js';
import type { Context } from '../../foundation/decision.js';
import type { Clause } from '../../foundation/reading.js';
import { foldCase } from '../../kernel/indexes/text-key.js';
import type { Table } from '../../kernel/table.js';
import { seesFullPaths } from '../items/item-view.js';
import type { FileRecord } from '../record.js';
import { JoinedTexts } from './joined-texts.js';
import type { Item } from '../../relations/directory-tree.js';

/** So many names are compared one by one. */
const FEW_FILES = 1000;

/** Clauses that match files and folders by their displayed paths. */
interface PathMatches {
  readonly files: readonly Clause[];
  readonly folders: readonly Clause[];
}

const last_found = new WeakMap<Context, { readonly text: string; readonly found: PathMatches }>();

/**
 * Matches of a text (in lower case) in paths. A request searches files and folders with one context, so the folders are
 * only searched once. The state must not change meanwhile.
 */
export function pathMatches(context: Context, text: string): PathMatches {
  const known = last_found.get(context);
  if (known?.text === text) return known.found;
  const found = findPaths(context, text);
  last_found.set(context, { text, found });
  return found;
}

/**
 * Paths are not stored: a match in a folder's name finds all folders below it and their content. Only a text with a
 * separator requires a visit of every folder.
 */
function findPaths(context: Context, text: string): PathMatches {
  // `..` only occurs in clipped paths.
  if (/[/:]/.test(text) || text === '.' || text === '..') return spelledMatches(context, text);
  const { state } = context;
  const access = Access.of(context);
  const disk_ids = new Set<string>();
  const folder_ids = new Set<string>();
  const roots = new Set<string>();
  for (const disk of state.disks.values()) {
    // Every path begins with the disk's id, clipped or not.
    if (foldCase(disk.id).includes(text)) disk_ids.add(disk.id);
    else if (seesFullPaths(access, disk.id)) roots.add(disk.root_folder);
  }
  for (const id of textsIn(state).folder_names.idsWith(text))
    addBelow(state, id, roots, folder_ids);
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

/** Names and metadata of files and folders of a state. */
interface StateTexts {
  readonly folder_names: JoinedTexts<Folder>;
  readonly file_names: JoinedTexts<FileRecord>;
  readonly metadata: Readonly<Record<Kind, JoinedTexts<Item>>>;
}

type Kind = 'files' | 'folders';

const texts_by_state = new WeakMap<DriveState, StateTexts>();

function textsIn(state: DriveState): StateTexts {
  const known = texts_by_state.get(state);
  if (known) return known;
  const { files, folders } = state;
  const texts: StateTexts = {
    folder_names: new JoinedTexts(
      folders,
      ({ name }) => [name],
      () => folders.values(),
    ),
    file_names: new JoinedTexts(
      files,
      ({ name }) => [name],
      () => files.values(),
    ),
    metadata: {
      files: metadataIn(files as unknown as Table<Item>),
      folders: metadataIn(folders as unknown as Table<Item>),
    },
  };
  texts_by_state.set(state, texts);
  return texts;
}

/** The metadata of files or folders. */
function metadataIn(items: Table<Item>): JoinedTexts<Item> {
  return new JoinedTexts(items, metadataOf, () => items.where('described', 'somehow'));
}

function metadataOf({ notes, external_id, external_payload }: Item): string[] {
  return [notes, external_id, external_payload].flatMap((text) => text || []);
}

/** A path of which only the last characters are kept: as many as a match has that ends in a name below it. */
interface PathEnd {
  readonly end: string;
  /** True if the whole path contains the text. */
  readonly is_match: boolean;
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
  /** Those in which files match whose names have the right beginning. */
  const ending_folders = new Set<string>();
  const endOf = (path: string): PathEnd => ({
    end: path.slice(-text.length),
    is_match: path.includes(text),
  });
  /** Folders to enter, each with the shown path around it. Depth first, so that few paths are in memory. */
  const pending: { readonly folder: Folder; readonly around: PathEnd }[] = [];
  const enter = (id: string, shown: PathEnd): void => {
    if (shown.is_match) open_folders.add(id);
    else if (last >= 0 && shown.end.endsWith(folder_path)) ending_folders.add(id);
    for (const folder of state.folders.where('parent', id)) pending.push({ folder, around: shown });
  };
  for (const disk of state.disks.values()) {
    const is_full = seesFullPaths(access, disk.id);
    const top = foldCase(`${disk.id}::`);
    const clipped = endOf(`${top}../`);
    enter(disk.root_folder, endOf(is_full ? `${top}/` : top));
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { folder, around } = next;
      const path = around.is_match ? around : endOf(`${around.end}${foldCase(folder.name)}/`);
      if (path.is_match) folders.add(folder.id);
      enter(folder.id, is_full ? path : clipped);
    }
  }
  return {
    files: [
      { field: 'parent_folder_uuid', among: open_folders },
      { field: 'id', among: filesBeginning(state, ending_folders, name_start) },
    ],
    folders: [{ field: 'id', among: folders }],
  };
}

/** The files in these folders whose names begin with a text. */
function filesBeginning(
  state: DriveState,
  folder_ids: ReadonlySet<string>,
  text: string,
): Set<string> {
  const { files } = state;
  const children = folder_ids.values().reduce((sum, id) => sum + files.count('parent', id), 0);
  const isFound = ({ name }: FileRecord): boolean => foldCase(name).startsWith(text);
  if (children <= FEW_FILES)
    return new Set(
      folder_ids
        .values()
        .flatMap((id) => files.where('parent', id).filter(isFound))
        .map(({ id }) => id),
    );
  return new Set(
    textsIn(state)
      .file_names.idsBeginning(text)
      .filter((id) => folder_ids.has(files.get(id)!.parent_folder_uuid)),
  );
}

/** Items whose notes, external id, external payload or labels contain the text (in lower case). */
export function metadataMatches(state: DriveState, kind: Kind, text: string): Clause {
  const among = new Set(textsIn(state).metadata[kind].idsWith(text));
  for (const label of state.labels.values())
    if (label.value.includes(text))
      for (const id of state.undo_log.pins.of(label.id)) if (state[kind].has(id)) among.add(id);
  return { field: 'id', among };
}
