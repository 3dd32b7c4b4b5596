import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Credential } from '../../domain/access/caller.js';
import {
  bytesIn,
  type ContentStored,
  type UploadTarget,
} from '../../domain/directory/content/store.js';
import { type PutTarget, UNMADE } from '../../domain/directory/content/put.js';
import { directoryCommands } from '../../domain/directory/definitions.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { Drives } from '../../engine/drives/drives.js';
import {
  type CommandRequest,
  isRefused,
  type Outcome,
  Unavailable,
} from '../../engine/writer/call.js';
import { generating } from '../fresh.js';
import { answerOnAll } from '../read-record.js';
import { AdmitUpload, PutFile, StoreContent, type UploadAdmitted } from './store-content.js';
import { type Announced, type Received, Uploads } from './uploads.js';

export interface ContentUpload {
  readonly drive_id: string;
  readonly credential: Credential;
  readonly target: UploadTarget | PutTarget;
  readonly source: AsyncIterable<Uint8Array>;
  readonly announced: Omit<Announced, 'room_bytes'>;
  /** Default: the type for the file's name. */
  readonly media_type?: string | undefined;
  readonly dry_run: boolean;
  /** The request of the command; what was sent stands for the body under an idempotency key. */
  readonly request: (sent: object) => CommandRequest;
}

/** What stands for the body of an upload under an idempotency key. */
function sentBy(
  { target, media_type }: Pick<ContentUpload, 'target' | 'media_type'>,
  { sha256, size }: Received,
): object {
  return { ...target, sha256, size, ...(media_type !== undefined && { media_type }) };
}

/** Receives contents and stores them as those of files: checked before the bytes are read, and decided after. */
@Injectable()
export class ContentUploads {
  constructor(
    @Inject(Uploads) private readonly uploads: Uploads,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(Drives) private readonly drives: Drives,
  ) {}

  /** Time in which what precedes a content must arrive, ms. */
  get slow_ms(): number {
    return this.uploads.slow_ms;
  }

  /** @throws as `Uploads.receive`; Unavailable */
  async store(upload: ContentUpload): Promise<Outcome<ContentStored>> {
    const { drive_id, credential, target, source, announced, dry_run } = upload;
    const admitted = await this.admit(drive_id, credential, target, announced.size);
    if (await this.drives.commands.hasUsedKey(drive_id, upload.request({})))
      return this.repeat(upload, admitted.revision);
    if (isRefused(admitted)) return admitted;
    const { room, media_type } = admitted.data;
    const expected = { ...announced, room_bytes: bytesIn(room) };
    const received = await this.uploads.receive(drive_id, source, expected, dry_run);
    if (isRefusal(received)) return { refusal: received, revision: admitted.revision };
    return this.decide(upload, received, upload.media_type ?? media_type);
  }

  /**
   * The first outcome of an upload under its idempotency key, which its own refusal today would hide: it may have used up
   * the room. The bytes are only compared.
   */
  private async repeat(upload: ContentUpload, revision: number): Promise<Outcome<ContentStored>> {
    const { drive_id, target, source, announced, request } = upload;
    const expected = { ...announced, room_bytes: this.drives.settings.content_max_bytes };
    const received = await this.uploads.receive(drive_id, source, expected, true);
    if (isRefusal(received)) return { refusal: received, revision };
    const content = { ...received, media_type: upload.media_type ?? '' };
    const command = { ...target, content, fresh: UNMADE };
    const { StoreContent: Store, PutFile: Put } = directoryCommands;
    const { commands } = this.drives;
    const asked = request(sentBy(upload, received));
    const first =
      'name' in command
        ? await commands.recall(drive_id, Put, command, asked)
        : await commands.recall(drive_id, Store, command, asked);
    // The key has expired meanwhile.
    if (!first) throw new Unavailable('conflict');
    return first;
  }

  /**
   * Checks an upload before its bytes are received. As before the refusal of a command, events of other processes are read
   * first. @throws Unavailable
   * @param bytes its size as far as it is known
   */
  async admit(
    drive_id: string,
    credential: Credential,
    target: UploadTarget | PutTarget,
    bytes = 0,
  ): Promise<Outcome<UploadAdmitted>> {
    const ask = (): Promise<Outcome<UploadAdmitted>> =>
      this.queries.execute(new AdmitUpload({ drive_id, credential }, target)) as Promise<
        Outcome<UploadAdmitted>
      >;
    return answerOnAll(
      this.drives,
      drive_id,
      ask,
      (outcome) => isRefused(outcome) || bytesIn(outcome.data.room) < bytes,
    );
  }

  /** Decides the upload of a received content. What no event names is deleted, unless an event may still name it. */
  async decide(
    upload: Pick<ContentUpload, 'drive_id' | 'target' | 'media_type' | 'dry_run' | 'request'>,
    received: Received,
    media_type: string,
  ): Promise<Outcome<ContentStored>> {
    const { drive_id, target, dry_run, request } = upload;
    const content = { ...received, media_type };
    const command = request(sentBy(upload, received));
    const outcome = await generating(dry_run, () =>
      this.commands.execute(
        'name' in target
          ? new PutFile(drive_id, { ...target, content }, command)
          : new StoreContent(drive_id, { ...target, content }, command),
      ),
    );
    const is_named = !isRefused(outcome) && !outcome.is_repeated;
    if (!is_named && !dry_run) await this.uploads.discard(drive_id, received);
    return outcome;
  }
}
