import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import type { FileView } from './file-view.js';
import type { FolderView } from './folder-view.js';
import type { ItemView } from './items/item-view.js';

type Described = Omit<FileView, keyof ItemView> & Omit<FolderView, keyof ItemView> & ItemView;

/** The descriptive fields of an item as shown to callers without VIEW. */
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
  media_type: null,
  sha256: null,
  content_available: false,
};

/**
 * The record in the answer of a command. Some commands do not require VIEW: callers without VIEW then see ids and the
 * fields of their own command. An item that the caller has just created is shown completely.
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
