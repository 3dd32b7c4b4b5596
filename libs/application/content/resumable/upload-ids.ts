import { createHash, randomBytes } from 'node:crypto';
import type { ContentKey } from '../../../content-store/port.js';

/**
 * Ids of resumable uploads, and of what the content store keeps for them. An upload's id begins with a digest of its
 * user, so that a user's uploads can be listed, and those of others refused without reading anything.
 */
export const UPLOAD = 'UploadID_';
/** Not `UploadPart_`: earlier releases stored parts without a salt under such ids. */
const PART = 'UploadPiece_';
const FINISHED = 'UploadDone_';

const OWNER_HEX = 16;
const RANDOM_BYTES = 16;
const PART_DIGITS = 6;
const ID = new RegExp(`^${UPLOAD}[0-9a-f]{${OWNER_HEX}}-[0-9a-f]{${2 * RANDOM_BYTES}}$`);

/** Maximum number of parts of an upload. */
export const PARTS_MAX = 10 ** PART_DIGITS - 1;

export interface UploadKey {
  readonly drive_id: string;
  readonly upload_id: string;
}

export function freshUploadId(drive_id: string, user_id: string): string {
  return `${uploadsOf(drive_id, user_id)}${randomBytes(RANDOM_BYTES).toString('hex')}`;
}

/** What the ids of a user's uploads begin with. */
export function uploadsOf(drive_id: string, user_id: string): string {
  const owner = createHash('sha256').update(`${drive_id}\n${user_id}`).digest('hex');
  return `${UPLOAD}${owner.slice(0, OWNER_HEX)}-`;
}

/** Whether an id has the form of an upload's. */
export function isUploadId(id: string): boolean {
  return ID.test(id);
}

/** What is known about an upload from its creation on; kept while it is unfinished. */
export function infoKey({ drive_id, upload_id }: UploadKey): ContentKey {
  return { drive_id, content_id: upload_id };
}

/** A part of the received bytes. @param nth from 1 */
export function partKey({ drive_id, upload_id }: UploadKey, nth: number): ContentKey {
  const part = String(nth).padStart(PART_DIGITS, '0');
  return { drive_id, content_id: `${PART}${upload_id.slice(UPLOAD.length)}-${part}` };
}

/** The mark of a finished upload. */
export function finishedKey({ drive_id, upload_id }: UploadKey): ContentKey {
  return { drive_id, content_id: FINISHED + upload_id.slice(UPLOAD.length) };
}
