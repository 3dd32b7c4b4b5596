import { Access } from '../access/access.js';
import type { Folder } from '../disks/record.js';
import type { Context } from '../drive/decision.js';
import type { Clause } from '../drive/reading.js';
import type { DriveState } from '../drive/state.js';
import type { RecordBase, Table } from '../kernel/table.js';
import { labelValues } from '../labels/joined.js';
import { seesFullPaths } from './item-view.js';
import type { Item } from './tree.js';

/** Clauses that files and folders are found by because of the paths they are shown under. */
export interface PathMatches {
  readonly files: readonly Clause[];
  readonly folders: readonly Clause[];
}

/**
 * What a text (in lower case) finds in paths. Paths are not stored, so a name in the middle of one finds
 * the folders below it, and those their content; only a text with a separator needs every path spelt out.
 */
export function pathMatches(context: Context, text: string): PathMatches {
  // `..` stands in clipped paths alone.
  if (/[/:]/.test(text) || text === '.' || text === '..') return spelledMatches(context, text);
  const { state } = context;
  const access = Access.of(context);
  const disk_ids = new Set<string>();
  const folder_ids = new Set<string>();
  for (const disk of state.disks.values()) {
    // Every path begins with it, clipped or not.
    if (disk.id.toLowerCase().includes(text)) disk_ids.add(disk.id);
    else if (seesFullPaths(access, disk.id)) addBelow(state, disk.root_folder, text, folder_ids);
  }
  const found: readonly Clause[] = [
    { field: 'disk_id', among: disk_ids },
    { field: 'parent_folder_uuid', among: folder_ids },
  ];
  return { files: found, folders: found };
}

/** Adds the folders whose content bears the text in its path, in the name of some folder above it. */
function addBelow(state: DriveState, root_id: string, text: string, found: Set<string>): void {
  const entered: { id: string; is_found: boolean }[] = [{ id: root_id, is_found: false }];
  for (const { id, is_found } of entered) {
    if (is_found) found.add(id);
    for (const folder of state.folders.where('parent', id))
      entered.push({
        id: folder.id,
        is_found: is_found || folder.name.toLowerCase().includes(text),
      });
  }
}

/** Names hold no separator, so what reaches into a file's name is what follows the last one. */
function spelledMatches(context: Context, text: string): PathMatches {
  const { state } = context;
  const access = Access.of(context);
  const last = Math.max(text.lastIndexOf('/'), text.lastIndexOf(':'));
  const [way, beginning] = [text.slice(0, last + 1), text.slice(last + 1)];
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
      else if (last >= 0 && around.endsWith(way))
        for (const file of state.files.where('parent', folder.id))
          if (file.name.toLowerCase().startsWith(beginning)) files.add(file.id);
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

/** Items whose notes, external id, external payload or labels hold the text (in lower case). */
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
