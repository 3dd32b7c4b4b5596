import type { Context } from '../../foundation/decision.js';
import type { Sealed } from '../../kernel/sealed.js';
import { isCloud } from '../changes/create.js';
import { objectKeyOf } from './object.js';
import type { FileRecord } from '../record.js';

/** The data to sign for an upload or download of a file's content in its disk's bucket. */
export interface ObjectOrder {
  readonly auth_json: Sealed<string | null>;
  readonly object_key: string;
}

export interface UploadOrder extends ObjectOrder {
  readonly max_bytes: number;
  /** Name of the file for downloads. */
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
