import { Access, type Evidence } from '../../access/access.js';
import { type Disk, isOwnStorage } from '../../disks/record.js';
import { accept, type Context, type Decider } from '../../foundation/decision.js';
import { decidedBy } from '../../foundation/commands.js';
import { event } from '../../foundation/events.js';
import { PREFIX } from '../../kernel/ids.js';
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.js';
import { isInTrash } from '../../relations/directory-tree.js';
import { fileExpiry } from '../changes/create.js';
import { type FileView, presentFile } from '../file-view.js';
import { findItem } from '../items/find.js';
import { holds } from '../items/rights.js';
import type { FileRecord } from '../record.js';
import { shownAfter } from '../shown-after.js';

/** Bytes that the content store holds durably, to be announced as the content of a file. */
export interface ReceivedContent {
  readonly content_id: string;
  /** Hex. */
  readonly sha256: string;
  /** Bytes in clear. */
  readonly size: number;
  readonly media_type: string;
}

/** Where an upload belongs. */
export interface UploadTarget {
  /** The file. */
  id: string;
  /**
   * Only for the upload form of this version, which exists without bytes, or comes into being with them. The form
   * also serves the creator of a version without EDIT on the file.
   */
  version_id?: string;
}

export interface StoreContent extends UploadTarget {
  content: ReceivedContent;
  fresh: { version_id: string };
}

interface Admitted {
  readonly file: FileRecord;
  readonly disk: Disk;
  readonly allowed: Evidence;
  /** True: the bytes become the content of the current version, which has none. */
  readonly fills: boolean;
  readonly room: Room;
}

/** Limits of one more content, bytes; Infinity: none. */
export interface Room {
  readonly content_max: number;
  /** What the quotas of the disk and of the organization leave. */
  readonly on_disk: number;
  readonly in_organization: number;
}

/** True while the current version waits for its bytes. */
export function isPending({ upload_status, content_id }: FileRecord): boolean {
  return upload_status !== 'COMPLETED' && !content_id;
}

/** Checks an upload: before its bytes are received, and again when they have been. */
export function admitUpload(context: Context, target: UploadTarget): Admitted | Refusal {
  const { state } = context;
  const file = findItem(context, 'file', target.id);
  if (isRefusal(file)) return file;
  const access = Access.of(context);
  const { version_id } = target;
  const is_pending = isPending(file);
  const fills = is_pending && (version_id === undefined || version_id === file.version_id);
  const allowed =
    holds(access, 'EDIT', file.id) ??
    (version_id !== undefined && fills && file.version_by === context.caller.user_id
      ? holds(access, 'UPLOAD', file.parent_folder_uuid)
      : null);
  if (!allowed) return access.denied(file.id);
  const disk = state.disks.get(file.disk_id)!;
  if (!isOwnStorage(disk)) return refuse('content-elsewhere');
  if (isInTrash(state, file)) return refuse('in-trash');
  const is_used = version_id === file.version_id || state.file_versions.has(version_id ?? '');
  if (is_used && !fills) return refuse('upload-used');
  return { file, disk, allowed, fills, room: roomFor(context, disk) };
}

/** The room on a disk of the service. */
export function roomFor({ state, settings }: Context, disk: Disk): Room {
  const { content_max_bytes, content_quota_bytes } = settings;
  const { contents } = state;
  return {
    content_max: content_max_bytes,
    on_disk: leftOf(disk.quota_bytes, contents.sum('of_disk', disk.id)),
    in_organization: leftOf(content_quota_bytes, contents.sum('of_drive', '')),
  };
}

/**
 * Maximum size of one more content, bytes.
 * @param reserved bytes that other uploads are about to store
 */
export function bytesIn(
  { content_max, on_disk, in_organization }: Room,
  reserved = { on_disk: 0, in_organization: 0 },
): number {
  const left = [on_disk - reserved.on_disk, in_organization - reserved.in_organization];
  return Math.max(0, Math.min(content_max, ...left));
}

/** @param quota 0 or null: unlimited */
function leftOf(quota: number | null | undefined, used: number): number {
  return quota ? Math.max(0, quota - used) : Infinity;
}

/** The refusal of a content beyond the room for it. */
export function refuseSize(size: number, room_bytes: number): Refusal | null {
  if (size <= room_bytes) return null;
  const reason = `has ${size} bytes; there is room for ${room_bytes}`;
  return refuse('content-too-large', { pointer: '', reason, limit: room_bytes });
}

const storeContent: Decider<StoreContent> = (context, command) => {
  const admitted = admitUpload(context, command);
  if (isRefusal(admitted)) return admitted;
  const { file, disk, allowed, fills, room } = admitted;
  const { content, fresh } = command;
  const refused = refuseSize(content.size, bytesIn(room));
  if (refused) return refused;
  return accept(
    allowed,
    event('FileContentStored', {
      file_id: file.id,
      version_id: fills ? file.version_id : (command.version_id ?? fresh.version_id),
      stored_by: context.caller.user_id,
      ...content,
      ...(!fills && fileExpiry(context, disk, {}, file)),
    }),
  );
};

export interface ContentStored {
  file: FileView;
}

export const StoreContent = decidedBy<StoreContent, ContentStored>(storeContent, {
  generate: (fresh) => ({ version_id: fresh.id(PREFIX.file_version) }),
  answer(context, command) {
    const view = presentFile(context, context.state.files.get(command.id)!);
    return { file: shownAfter(context, view, command) };
  },
});
