import type { Context } from '../../foundation/decision.js';
import type { Sealed } from '../../kernel/sealed.js';
import { isCloud, isOwnStorage } from '../../disks/record.js';
import { isPending } from '../content/store.js';
import { assetUrl, objectKeyOf } from './object.js';
import type { FileRecord } from '../record.js';

/** The data to sign for an upload or download of a file's content in its disk's bucket. */
export interface ObjectOrder {
  readonly auth_json: Sealed<string | null>;
  readonly object_key: string;
}

interface UploadOrderBase {
  readonly max_bytes: number;
  /** Hex; the digest that the content must have. */
  readonly sha256?: string;
  readonly file_name: string;
}

interface BucketOrder extends ObjectOrder, UploadOrderBase {}

/** A form or link of the service itself, for the caller who asked for it. */
export interface DownloadOrder {
  readonly url: string;
  readonly drive_id: string;
  readonly file_id: string;
  readonly version_id: string;
  readonly user_id: string;
  readonly api_key_id: string | null;
  /** ms */
  readonly expires_at: number;
}

/** An upload to the service. */
export interface OwnOrder extends DownloadOrder, UploadOrderBase {}

const UPLOAD_MS = 24 * 3_600_000;
const DOWNLOAD_MS = 3_600_000;

export type UploadOrder = BucketOrder | OwnOrder;

/** Null for disks without a bucket. */
export function objectOrder(
  { state }: Context,
  file: Pick<FileRecord, 'disk_id'> & Parameters<typeof objectKeyOf>[1],
): ObjectOrder | null {
  const disk = state.disks.get(file.disk_id);
  if (!disk || !isCloud(disk)) return null;
  return { auth_json: disk.auth_json, object_key: objectKeyOf(state, file) };
}

/** What a client says about an upload. */
interface UploadOptions {
  /** Hex; digest that the content must have. */
  readonly upload_sha256?: string | undefined;
  /** Maximum bytes. */
  readonly upload_size?: number | undefined;
  /** Version of an upload to a file that has its content. */
  readonly next_version_id?: string;
}

/**
 * Null if the disk takes no uploads, or the file needs none.
 */
export function uploadOrder(
  context: Context,
  file: FileRecord,
  { upload_sha256: sha256, upload_size = Infinity, next_version_id }: UploadOptions = {},
): UploadOrder | null {
  const { state, settings } = context;
  const order = objectOrder(context, file);
  const upload = { max_bytes: file.file_size, file_name: file.name, ...(sha256 && { sha256 }) };
  if (order) return { ...order, ...upload };
  if (!isOwnStorage(state.disks.get(file.disk_id)!)) return null;
  const url = `${settings.host_url}/v1/drive/${state.drive_id}/directory/content`;
  const own = (version_id: string) => ({ url, ...givenTo(context, file, version_id, UPLOAD_MS) });
  if (isPending(file)) return { ...upload, ...own(file.version_id) };
  if (next_version_id === undefined) return null;
  const max_bytes = Math.min(settings.content_max_bytes, upload_size);
  return { ...upload, max_bytes, ...own(next_version_id) };
}

/** A link to the file's current version. */
export function downloadOrder(context: Context, file: FileRecord): DownloadOrder {
  const { settings, state } = context;
  const asset = assetUrl(settings.host_url, state.drive_id, file.id);
  const url = `${asset}.${encodeURIComponent(file.extension)}`;
  return { url, ...givenTo(context, file, file.version_id, DOWNLOAD_MS) };
}

function givenTo(
  { state, caller, now }: Context,
  { id: file_id }: FileRecord,
  version_id: string,
  valid_ms: number,
) {
  const { user_id, api_key_id } = caller;
  const { drive_id } = state;
  return { drive_id, file_id, version_id, user_id, api_key_id, expires_at: now + valid_ms };
}
