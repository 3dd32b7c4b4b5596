import { Inject, Injectable } from '@nestjs/common';
import { ContentMissing, ContentStoreFull } from '../../../content-store/port.js';
import type { Credential } from '../../../domain/access/caller.js';
import { Identities } from '../../../domain/access-questions/identity.js';
import { bytesIn, refuseSize } from '../../../domain/directory/content/store.js';
import { isRefusal, type Refusal } from '../../../domain/kernel/refusal.js';
import { Drives } from '../../../engine/drives/drives.js';
import { sha256Hex } from '../../../engine/proofs/hashing.js';
import { type CommandRequest, isRefused, type Outcome } from '../../../engine/writer/call.js';
import { ContentUploads } from '../content-uploads.js';
import type { UploadAdmitted } from '../store-content.js';
import { mismatch, type Received, Refused, Uploads } from '../uploads.js';
import { bounded, type Checksum, checkedBy, Parts } from './parts.js';
import {
  expiresAt,
  type StoredUpload,
  UnfinishedUploads,
  type UploadInfo,
} from './unfinished-uploads.js';
import { UploadFailed } from './upload-failed.js';
import { freshUploadId, isUploadId, type UploadKey, uploadsOf } from './upload-ids.js';

/** Setting of resumable uploads. */
export class ResumableLimits {
  constructor(readonly unfinished_per_user: number) {}
}

/** The user of an upload and the request, which becomes that of the command at the end. */
export interface UploadCaller {
  readonly drive_id: string;
  readonly user_id: string;
  readonly credential: Credential;
  readonly request: CommandRequest;
}

export type NewUpload = Omit<UploadInfo, 'created_at' | 'media_type'> & {
  /** Default: the type for the file's name. */
  readonly media_type: string | undefined;
};

/** An upload as clients see it. */
export interface UploadState {
  readonly upload_id: string;
  readonly offset: number;
  /** Null: not announced yet. */
  readonly length: number | null;
  readonly metadata: string;
  readonly expires_at: number;
  readonly is_finished: boolean;
}

export interface Addition {
  readonly offset: number;
  readonly source: AsyncIterable<Uint8Array>;
  /** Number of bytes, if announced. */
  readonly bytes: number | undefined;
  /** Length of the upload, if the request announces it. */
  readonly length: number | undefined;
  readonly checksum: Checksum | undefined;
}

interface Running {
  readonly interruption: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Uploads that continue where they broke off. The bytes are kept in parts; with the last one, they become one new
 * content, and the file's by a command.
 */
@Injectable()
export class ResumableUploads {
  /** Requests in progress, by upload. */
  private readonly running = new Map<string, Running>();

  constructor(
    @Inject(Uploads) private readonly uploads: Uploads,
    @Inject(ContentUploads) private readonly content_uploads: ContentUploads,
    @Inject(UnfinishedUploads) private readonly unfinished: UnfinishedUploads,
    @Inject(Drives) private readonly drives: Drives,
    @Inject(ResumableLimits) private readonly limits: ResumableLimits,
  ) {}

  /**
   * Creates an upload. An empty one is complete.
   * @throws UploadFailed `too-many`; ContentBusy; ContentStoreFull; Unavailable
   */
  async create(caller: UploadCaller, wanted: NewUpload): Promise<Outcome<UploadState>> {
    const { drive_id, user_id, credential } = caller;
    const target = { id: wanted.file_id };
    const admitted = await this.content_uploads.admit(
      drive_id,
      credential,
      target,
      wanted.length ?? 0,
    );
    if (isRefused(admitted)) return admitted;
    const { revision, data } = admitted;
    const room_bytes = await this.roomBeside(drive_id, null, data);
    const too_large = refuseSize(wanted.length ?? 0, room_bytes);
    if (too_large) return { refusal: too_large, revision };
    await this.limitUnfinished(caller);
    const upload_id = freshUploadId(drive_id, user_id);
    const { media_type = data.media_type, ...rest } = wanted;
    const info = { ...rest, media_type, created_at: await this.now(drive_id) };
    await this.unfinished.create({ drive_id, upload_id }, info);
    const { length } = wanted;
    if (length === 0)
      return this.state(caller, upload_id).catch(async (error: unknown) => {
        // The client does not know the upload.
        await this.unfinished.remove({ drive_id, upload_id }).catch(() => {});
        throw error;
      });
    const created = { info, offset: 0, length, parts: 0 };
    return { data: stateOf(upload_id, created), revision };
  }

  /**
   * An upload's state. A request that sends bytes is interrupted, and its bytes are kept, because a client that asks
   * has lost it. If all bytes are there, the upload is completed.
   * @throws UploadFailed; ContentBusy: the upload stays, to be completed later; Unavailable
   */
  async state(caller: UploadCaller, upload_id: string): Promise<Outcome<UploadState>> {
    const upload = await this.keyOf(caller, upload_id);
    return this.afterOthers(upload_id, async () => {
      const found = await this.find(upload);
      if (isComplete(found))
        return this.uploads.inPlace(caller.drive_id, () => this.complete(caller, upload, found));
      const { head } = await this.drives.open(caller.drive_id);
      return { data: stateOf(upload_id, found), revision: found.revision ?? head.revision };
    });
  }

  /**
   * Adds bytes to an upload, and completes it with the last one. If the request breaks off, the bytes received are
   * kept, unless it has a checksum. A refused upload is deleted.
   * @throws UploadFailed; as `Uploads.receive`; UploadInterrupted
   */
  async add(
    caller: UploadCaller,
    upload_id: string,
    sent: Addition,
  ): Promise<Outcome<UploadState>> {
    const upload = await this.keyOf(caller, upload_id);
    return this.alone(upload_id, async (interruption) => {
      const found = await this.find(upload);
      if (found.offset !== sent.offset) throw new UploadFailed('wrong-offset');
      const { revision } = found;
      if (revision !== undefined) {
        const surplus = refusalOf(found, sent.bytes ?? 0, found.offset);
        if (surplus) return { refusal: surplus.refusal, revision };
        return { data: stateOf(upload_id, found), revision };
      }
      const { drive_id, credential } = caller;
      const target = { id: found.info.file_id };
      const size = found.length ?? found.offset;
      const admitted = await this.content_uploads.admit(drive_id, credential, target, size);
      if (isRefused(admitted)) return this.refuse(upload, admitted);
      const { data } = admitted;
      // An announced length has been reserved.
      const room_bytes =
        found.length === null
          ? await this.roomBeside(drive_id, upload_id, data)
          : bytesIn(data.room);
      const at = withLength(found, sent.length);
      const too_large = refuseSize(at.length ?? at.offset, room_bytes);
      if (too_large) return this.refuse(upload, { ...admitted, refusal: too_large });
      const refuseMore = (bytes: number) => refusalOf(at, bytes, room_bytes);
      const too_many = refuseMore(sent.bytes ?? 0);
      if (too_many) return { ...admitted, refusal: too_many.refusal };
      return this.uploads.inPlace(drive_id, async (speed) => {
        const bytes = bounded(this.uploads.inTime(sent.source, interruption, speed), refuseMore);
        const received = await this.receive(upload, at, sent, bytes);
        if (isRefusal(received)) return { ...admitted, refusal: received };
        if (isComplete(received)) return this.complete(caller, upload, received);
        return { data: stateOf(upload_id, received), revision: admitted.revision };
      });
    });
  }

  /** Deletes an upload and its bytes. @throws UploadFailed */
  async terminate(caller: UploadCaller, upload_id: string): Promise<void> {
    const upload = await this.keyOf(caller, upload_id);
    await this.afterOthers(upload_id, async () => {
      await this.find(upload);
      await this.unfinished.remove(upload);
    });
  }

  /** Stores the bytes of a request. Returns the upload with them, or a refusal of the part that they were in. */
  private async receive(
    upload: UploadKey,
    found: StoredUpload,
    { checksum, length }: Addition,
    bytes: AsyncGenerator<Uint8Array, void>,
  ): Promise<StoredUpload | Refusal> {
    let at = found;
    try {
      if (checksum) return await this.unfinished.append(upload, at, checkedBy(checksum, bytes));
      const parts = new Parts(bytes);
      while (await parts.hasMore()) at = await this.unfinished.append(upload, at, parts.next());
      if (parts.failure !== undefined) throw parts.failure;
      // An announced length is kept in a part.
      const is_kept = length === undefined || at !== found;
      return is_kept ? at : await this.unfinished.append(upload, at, parts.next());
    } catch (error) {
      if (error instanceof Refused) return error.refusal;
      throw error;
    } finally {
      void bytes.return();
    }
  }

  /**
   * Makes the received bytes the content of the file. It may be repeated: the file gets one version. The caller has a
   * place for it, since all bytes are read, decrypted and encrypted again.
   */
  private async complete(
    caller: UploadCaller,
    upload: UploadKey,
    stored: StoredUpload,
  ): Promise<Outcome<UploadState>> {
    const { drive_id, request } = caller;
    const { file_id, media_type, sha256 } = stored.info;
    const bytes = this.unfinished.bytes(upload, stored);
    let received: Received | Refusal;
    try {
      received = await this.uploads.keep(drive_id, bytes, sha256 ?? undefined);
    } catch (error) {
      if (!(error instanceof ContentMissing)) throw error;
      // Another process may have completed the upload meanwhile, and deleted its parts.
      const found = await this.find(upload);
      if (found.revision === undefined) throw error;
      return { data: stateOf(upload.upload_id, found), revision: found.revision };
    }
    if (isRefusal(received)) {
      const { head } = await this.drives.open(drive_id);
      return this.refuse(upload, { refusal: received, revision: head.revision });
    }
    const idempotency = {
      // Keys of clients are hashed with their user's id. This one is the same after a superswap of the user.
      key: sha256Hex(`upload ${upload.upload_id}`),
      body: sha256Hex(upload.upload_id),
    };
    const command = {
      drive_id,
      target: { id: file_id },
      dry_run: false,
      request: () => ({ ...request, idempotency }),
    };
    const outcome = await this.content_uploads.decide(command, received, media_type);
    if (isRefused(outcome)) return this.refuse(upload, outcome);
    const { revision } = outcome;
    await this.unfinished.finish(upload, stored, revision).catch((error: unknown) => {
      // The content is stored. The upload is completed again by the next request for it, if any.
      if (!(error instanceof ContentStoreFull)) throw error;
    });
    return { data: stateOf(upload.upload_id, { ...stored, revision }), revision };
  }

  /** Deletes a refused upload. If only the caller's key has ended, it stays: its user may complete it with another. */
  private async refuse<T extends { refusal: Refusal; revision: number }>(
    upload: UploadKey,
    { refusal, revision }: T,
  ): Promise<Outcome<UploadState>> {
    if (refusal.refusal !== 'unauthenticated') await this.unfinished.remove(upload);
    return { refusal, revision };
  }

  private async find(upload: UploadKey): Promise<StoredUpload> {
    const found = await this.unfinished.find(upload);
    if (!found) throw new UploadFailed('not-found');
    if (expiresAt(found.info) > (await this.now(upload.drive_id))) return found;
    await this.unfinished.remove(upload);
    throw new UploadFailed('expired');
  }

  /**
   * The key of a caller's upload, which may have been created under a former id.
   * @throws UploadFailed `not-found` if it is not the caller's
   */
  private async keyOf({ drive_id, user_id }: UploadCaller, upload_id: string): Promise<UploadKey> {
    if (!isUploadId(upload_id) || user_id === '') throw new UploadFailed('not-found');
    const isOf = (id: string): boolean => upload_id.startsWith(uploadsOf(drive_id, id));
    if (!isOf(user_id)) {
      const { state } = await this.drives.open(drive_id);
      if (!new Identities(state).everOf(user_id).some(isOf)) throw new UploadFailed('not-found');
    }
    return { drive_id, upload_id };
  }

  /** Refuses a further upload of a user with too many. Expired ones do not count; they are deleted. */
  private async limitUnfinished({ drive_id, user_id }: UploadCaller): Promise<void> {
    const most = this.limits.unfinished_per_user;
    const ids = await this.unfinished.ofUser(drive_id, user_id, most);
    if (ids.length < most) return;
    const now = await this.now(drive_id);
    const reserved = await this.unfinished.reserved(drive_id, now);
    let unfinished = 0;
    for (const upload_id of ids) {
      const known = reserved.get(upload_id);
      if (known && known.expires_at > now) unfinished++;
      else await this.removeExpired({ drive_id, upload_id }, now);
    }
    if (unfinished >= most) throw new UploadFailed('too-many');
  }

  private async removeExpired(upload: UploadKey, now: number): Promise<void> {
    const found = await this.unfinished.find(upload);
    if (found && expiresAt(found.info) <= now) await this.unfinished.remove(upload);
  }

  /**
   * Maximum size of an upload, bytes: unfinished ones reserve what they have announced, or else received. Uploads
   * created at the same time may together exceed a quota; then the last one to finish is refused.
   */
  private async roomBeside(
    drive_id: string,
    upload_id: string | null,
    { room, disk_id }: UploadAdmitted,
  ): Promise<number> {
    if (Math.min(room.on_disk, room.in_organization) === Infinity) return bytesIn(room);
    const now = await this.now(drive_id);
    const reserved = await this.unfinished.reserved(drive_id, now);
    // At once: while an event is applied in steps, files may be missing that are there before and after it.
    return this.drives.read(drive_id, ({ state }) => {
      const others = { on_disk: 0, in_organization: 0 };
      for (const [other_id, { file_id, bytes, expires_at }] of reserved) {
        if (other_id === upload_id || expires_at <= now) continue;
        others.in_organization += bytes;
        if (state.files.get(file_id)?.disk_id === disk_id) others.on_disk += bytes;
      }
      return bytesIn(room, others);
    });
  }

  private async now(drive_id: string): Promise<number> {
    return (await this.drives.open(drive_id)).now();
  }

  /** Runs a task when the requests for the upload that are in progress have ended. */
  private async afterOthers<T>(upload_id: string, task: () => Promise<T>): Promise<T> {
    for (let other; (other = this.running.get(upload_id));) {
      other.interruption.abort();
      await other.ended;
    }
    return this.alone(upload_id, task);
  }

  /** Runs a task unless another request uses the upload. @throws UploadFailed `locked` */
  private async alone<T>(
    upload_id: string,
    task: (interruption: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.running.has(upload_id)) throw new UploadFailed('locked');
    const interruption = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.running.set(upload_id, { interruption, ended });
    try {
      return await task(interruption.signal);
    } finally {
      this.running.delete(upload_id);
      resolve();
    }
  }
}

function isComplete({ offset, length, revision }: StoredUpload): boolean {
  return offset === length && revision === undefined;
}

/** An upload with the length that a request announces. @throws UploadFailed `wrong-length` */
function withLength(found: StoredUpload, length: number | undefined): StoredUpload {
  if (length === undefined || length === found.length) return found;
  if (found.length !== null || length < found.offset) throw new UploadFailed('wrong-length');
  return { ...found, length };
}

/** The refusal of more bytes than announced, or than there is room for. */
function refusalOf(
  { offset, length }: StoredUpload,
  received: number,
  room_bytes: number,
): Refused | null {
  const total = offset + received;
  if (length !== null) return total > length ? mismatch(`has more than the ${length} bytes`) : null;
  const too_large = refuseSize(total, room_bytes);
  return too_large && new Refused(too_large);
}

function stateOf(upload_id: string, { info, ...stored }: StoredUpload): UploadState {
  const { offset, length, revision } = stored;
  const { metadata } = info;
  const is_finished = revision !== undefined;
  return { upload_id, offset, length, metadata, expires_at: expiresAt(info), is_finished };
}
