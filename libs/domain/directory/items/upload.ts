import type { Context } from '../../foundation/decision.js';
import type { Sealed } from '../../kernel/sealed.js';
import { isCloud } from '../changes/create.js';
import { objectKeyOf } from './object.js';
import type { FileRecord } from '../record.js';

/** What has to be signed so that a client can store or fetch a file's content at its disk's bucket. */
export interface ObjectOrder {
  readonly auth_json: Sealed<string | null>;
  readonly object_key: string;
}

export interface UploadOrder extends ObjectOrder {
  readonly max_bytes: number;
  /** What the file is called, for those who download the object. */
  readonly file_name: string;
}

/** Null for disks without a bucket. */
export function objectOrder({ state }: Context, file: FileRecord): ObjectOrder | null {
  const disk = state.disks.get(file.disk_id);
  if (!disk || !isCloud(disk)) return null;
  return { auth_json: disk.auth_json, object_key: objectKeyOf(state, file) };
}

export function uploadOrder(context: Context, file: FileRecord): UploadOrder | null {
  const order = objectOrder(context, file);
  return order && { ...order, max_bytes: file.file_size, file_name: file.name };
}
