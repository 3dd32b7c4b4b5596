import type { DownloadOrder, UploadOrder } from '../../domain/directory/items/upload.js';
import type { ShareTracking } from '../../domain/directory/share-track.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import type { Opener } from '../../domain/kernel/sealed.js';
import { lookOccurrences } from '../../domain/webhooks/occurring/items.js';
import { type DecidedEvent } from '../../engine/writer/call.js';
import type { Webhooks } from '../../engine/webhooks/webhooks.js';
import type { ContentLinks, SignedUpload } from '../content/links.js';
import { previewId } from '../fresh.js';
import { NO_UPLOAD, signUpload } from './signing.js';

export type ActionOutcome =
  { readonly result: unknown } | { readonly refusal: Refusal } | { readonly failure: unknown };

export interface ActionsDone {
  readonly outcomes: readonly ActionOutcome[];
  /** Revision after the last action. */
  readonly revision: number;
  /** For a dry run: the events that the actions would have appended, in order. */
  readonly dry_run?: readonly DecidedEvent[];
}

/** Notifies webhooks of a view of an item, without delaying the answer. */
export function notifyView(webhooks: Webhooks, drive_id: string, read: unknown): void {
  const { share_track } = read as { share_track: ShareTracking };
  const { resource_id } = share_track;
  webhooks.notice(drive_id, (context) => lookOccurrences(context, resource_id, share_track));
}

/** What signs the forms and links in outcomes. */
export interface Signing {
  readonly open: Opener;
  readonly links: ContentLinks;
  /** True: forms get no valid signature, so that a dry run leaves nothing to upload with. */
  readonly is_dry: boolean;
}

/** The outcome as answered: upload URLs signed, and data for webhooks removed. */
export async function outcomeOf(data: object | Refusal, signing: Signing): Promise<ActionOutcome> {
  if (isRefusal(data)) return { refusal: data };
  const { share_track: _, ...result } = data as Record<string, unknown>;
  const { download } = result as { download?: DownloadOrder | null };
  if (download) return { result: { ...result, download: signing.links.link(download) } };
  if (!('upload' in result)) return { result };
  const order = result.upload as UploadOrder | null;
  if (!order) return { result: { ...result, upload: NO_UPLOAD } };
  try {
    return { result: { ...result, upload: await signed(order, signing) } };
  } catch {
    // The action has succeeded. The error may quote the credentials, so it is not answered.
    const notes = `${String(result.notes)} The credentials of the disk cannot sign an upload.`;
    return { result: { ...result, upload: NO_UPLOAD, notes } };
  }
}

/** Form fields without which a form is not accepted. */
const SIGNATURES = ['signature', 'X-Amz-Signature'] as const;

async function signed(order: UploadOrder, { open, links, is_dry }: Signing): Promise<SignedUpload> {
  const form = await formOf(order, open, links);
  if (is_dry)
    for (const name of SIGNATURES) if (name in form.fields) form.fields[name] = previewId();
  return form;
}

async function formOf(
  order: UploadOrder,
  open: Opener,
  links: ContentLinks,
): Promise<SignedUpload> {
  if (!('auth_json' in order)) return links.form(order);
  const { auth_json, ...upload } = order;
  return signUpload(open(auth_json, 'auth_json') ?? '', upload);
}
