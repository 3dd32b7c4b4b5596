import { Access } from '../../access/access.js';
import type { Context } from '../../foundation/decision.js';
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.js';
import { findItem } from './find.js';
import { isInTrash } from '../../relations/directory-tree.js';
import { type ObjectOrder, objectOrder } from './upload.js';

/** The place of a file's content: a URL given by the client, or an object that needs a signed URL. */
export type AssetPlace = { readonly url: string } | ObjectOrder;

/** The place of a file's content, for callers with VIEW. Anonymous callers need a grant to PUBLIC. */
export function findAsset(context: Context, file_id: string): AssetPlace | Refusal {
  const file = findItem(context, 'file', file_id);
  if (isRefusal(file)) return file;
  if (isInTrash(context.state, file)) return refuse('file-not-found');
  const access = Access.of(context);
  if (!access.canDirectory('VIEW', file.id)) return access.denied(file.id);
  if (file.raw_url) return { url: file.raw_url };
  const order = objectOrder(context, file);
  return order?.auth_json ? order : refuse('content-not-served');
}
