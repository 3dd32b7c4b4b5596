import { Access } from '../../access/access.js';
import type { Context } from '../../foundation/decision.js';
import { isRefusal, type Refusal, refuse, refuseField } from '../../kernel/refusal.js';
import type { UpdateFile } from '../commands.js';
import { isCloud } from '../../disks/record.js';
import { findItem } from '../items/find.js';
import { ownRawUrl } from '../items/object.js';
import { mayUpdate } from '../items/rights.js';
import { type ObjectOrder, objectOrder } from '../items/upload.js';
import type { FileRecord } from '../record.js';

const POINTER = '/upload_status';

/** Refusals of uploads to buckets that cannot be confirmed. */
export function refuseObject(
  refusal: 'object-missing' | 'bucket-refused' | 'bucket-unavailable',
  reason: string,
): Refusal {
  return refuse(refusal, { pointer: POINTER, reason });
}

/** True if the update declares that the content of a version is in its bucket. */
function completes({ state, settings }: Context, file: FileRecord, command: UpdateFile): boolean {
  return (
    settings.verify_bucket_uploads &&
    command.upload_status === 'COMPLETED' &&
    command.restore_version_id === undefined &&
    isCloud(state.disks.get(file.disk_id)!)
  );
}

/** True if the content is elsewhere after the update. */
function isExternal(context: Context, file: FileRecord, { raw_url }: UpdateFile): boolean {
  return (raw_url === undefined ? file.raw_url : ownRawUrl(context, raw_url, file.id)) !== '';
}

/**
 * The object that an update requires in the disk's bucket: its content is declared complete. Null if it requires none,
 * or is refused anyway: only callers who may make the update cause a request to the bucket.
 */
export function requiredObject(context: Context, command: UpdateFile): ObjectOrder | null {
  const file = findItem(context, 'file', command.id);
  if (isRefusal(file) || !mayUpdate(Access.of(context), file, command)) return null;
  const confirms = completes(context, file, command) && !isExternal(context, file, command);
  if (!confirms || command.request_presigned_url) return null;
  const order = objectOrder(context, file);
  return order?.auth_json ? order : null;
}

/** The content fields of an update, from what the bucket answered; none if the update requires no object. */
export function confirmedContent(
  context: Context,
  file: FileRecord,
  command: UpdateFile,
): { file_size?: number; sha256?: string | null; media_type?: string | null } | Refusal {
  if (!completes(context, file, command) || isExternal(context, file, command)) return {};
  if (command.request_presigned_url)
    return refuseField(
      POINTER,
      'must not be COMPLETED with request_presigned_url: the form is for content that is not uploaded yet',
    );
  const order = objectOrder(context, file)!;
  if (!order.auth_json) return refuse('disk-without-credentials');
  const { found } = command;
  if (found && isRefusal(found)) return found;
  // The file was created, or got another version, after the bucket was asked.
  if (found?.object_key !== order.object_key)
    return refuseObject(
      'object-missing',
      'the version changed while its upload was checked; retry',
    );
  const { size: file_size, sha256, media_type } = found;
  if (file.sha256 && sha256 !== file.sha256)
    return refuseObject(
      'object-missing',
      `the object does not have the SHA-256 of this version, ${file.sha256}; request_presigned_url starts a new version`,
    );
  return { file_size, sha256, media_type };
}
