import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { isRefusal, type Refusal } from '../kernel/refusal.js';
import { type Breadcrumb, breadcrumbs } from './items/breadcrumbs.js';
import type { GetItem } from './commands.js';
import { type FileView, presentFile } from './file-view.js';
import { isAvailable } from './content/versions.js';
import { type DownloadOrder, downloadOrder } from './items/upload.js';
import type { FileRecord } from './record.js';
import { findItem } from './items/find.js';
import { isInTrash, type ItemKind } from '../relations/directory-tree.js';
import { type FolderView, presentFolder } from './folder-view.js';
import { holds } from './items/rights.js';
import { type ShareTracking, trackShare } from './share-track.js';

export interface FileRead {
  file: FileView;
  /**
   * A link for downloading the content without a token, if requested; null if there is no content, in the trash, and on
   * past states, which give no credentials.
   */
  download?: DownloadOrder | null;
  breadcrumbs: Breadcrumb[];
  /** For webhooks on shares; not shown to the caller. */
  share_track: ShareTracking;
}

export interface FolderRead {
  folder: FolderView;
  breadcrumbs: Breadcrumb[];
  share_track: ShareTracking;
}

/** A read of one item. In a request with several actions it sees the effects of the earlier ones. */
export type ReadItem<Answer> = (context: Context, query: GetItem) => Answer | Refusal;

const readFile: ReadItem<FileRead> = (context, question) => {
  const refusal = refuseHidden(context, 'file', question.id);
  if (refusal) return refusal;
  const record = context.state.files.get(question.id)!;
  return {
    file: presentFile(context, record),
    ...(question.request_download_url && { download: linkTo(context, record) }),
    breadcrumbs: breadcrumbs(context, record),
    share_track: trackShare(context, record, question),
  };
};

function linkTo(context: Context, file: FileRecord): DownloadOrder | null {
  const is_served = isAvailable(context, file.disk_id, file) && !isInTrash(context.state, file);
  return is_served && !context.masked ? downloadOrder(context, file) : null;
}

const readFolder: ReadItem<FolderRead> = (context, question) => {
  const refusal = refuseHidden(context, 'folder', question.id);
  if (refusal) return refusal;
  const record = context.state.folders.get(question.id)!;
  return {
    folder: presentFolder(context, record),
    breadcrumbs: breadcrumbs(context, record),
    share_track: trackShare(context, record, question),
  };
};

export const directoryReads = { GetFile: readFile, GetFolder: readFolder };

function refuseHidden(context: Context, kind: ItemKind, id: string): Refusal | null {
  const item = findItem(context, kind, id);
  if (isRefusal(item)) return item;
  const access = Access.of(context);
  return holds(access, 'VIEW', item.id) ? null : access.denied(item.id);
}
