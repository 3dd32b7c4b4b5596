import { Access } from '../access/access.js';
import { visibleChildren } from '../access/children.js';
import type { DirectoryNode } from '../access/resources.js';
import type { Folder } from '../disks/record.js';
import type { Context } from '../foundation/decision.js';
import type { Table } from '../kernel/table.js';
import { itemView, presentItem } from './items/item-view.js';
import { integer, listOf, nullable, type Shown, text, view } from '../kernel/view.js';

/** Maximum children of each kind in one folder record; `directory/list` returns all of them. */
const MOST_CHILDREN_SHOWN = 100;

export const folderView = view('DirectoryFolder', {
  ...itemView.members,
  parent_folder_uuid: nullable(text()),
  subfolder_uuids: listOf(text(), 'Direct children the caller may view, the first 100 by name'),
  file_uuids: listOf(text(), 'Likewise'),
  subfolder_count: integer('Number of all direct subfolders the caller may view'),
  file_count: integer('Likewise'),
});
export type FolderView = Shown<typeof folderView>;

export function presentFolder(context: Context, folder: Folder): FolderView {
  const { state } = context;
  const { sees, count } = visibleChildren(Access.of(context), folder.id);
  return {
    ...presentItem(context, folder),
    parent_folder_uuid: folder.parent_folder_uuid,
    subfolder_uuids: firstVisible(state.folders, folder.id, sees),
    file_uuids: firstVisible(state.files, folder.id, sees),
    subfolder_count: count(state.folders),
    file_count: count(state.files),
  };
}

function firstVisible<R extends DirectoryNode>(
  table: Table<R>,
  folder_id: string,
  sees: (child: DirectoryNode) => boolean,
): string[] {
  const shown: string[] = [];
  for (const { id } of table.ordered('name', folder_id)) {
    if (shown.length === MOST_CHILDREN_SHOWN) break;
    if (sees(table.get(id)!)) shown.push(id);
  }
  return shown;
}
