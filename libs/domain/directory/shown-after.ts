import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import type { FileView } from './file-view.js';
import type { FolderView } from './folder-view.js';
import type { ItemView } from './items/item-view.js';

type Described = Omit<FileView, keyof ItemView> & Omit<FolderView, keyof ItemView> & ItemView;

/** What describes an item, as it is shown to those who may not VIEW it. */
const NOTHING: Partial<Described> = {
  name: '',
  full_directory_path: '',
  clipped_directory_path: '',
  labels: [],
  created_at: 0,
  expires_at: -1,
  notes: null,
  external_id: null,
  external_payload: null,
  extension: '',
  file_size: 0,
  raw_url: '',
};

/**
 * The record that a command answers with. Some commands take no VIEW: of an item that the caller may not
 * VIEW it shows ids and what the command itself gave. What the caller has just made is shown whole.
 */
export function shownAfter<View extends ItemView>(
  context: Context,
  view: View,
  command: object,
): View {
  const is_new = view.created_at === context.now && view.created_by === context.caller.user_id;
  if (is_new || Access.of(context).canDirectory('VIEW', view.id)) return view;
  const given = command as Readonly<Record<string, unknown>>;
  const hidden = Object.entries(NOTHING).filter(
    ([field]) => field in view && given[field] === undefined,
  );
  return { ...view, ...Object.fromEntries(hidden) };
}
