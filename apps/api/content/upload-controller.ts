import { Inject, Param, Post, Put, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { delegated, ContentLinks } from '../../../libs/application/content/links.js';
import {
  type ContentUpload,
  ContentUploads,
} from '../../../libs/application/content/content-uploads.js';
import type { ContentStored } from '../../../libs/domain/directory/content/store.js';
import { fileView } from '../../../libs/domain/directory/file-view.js';
import { isRefusal } from '../../../libs/domain/kernel/refusal.js';
import { view } from '../../../libs/domain/kernel/view.js';
import type { Outcome } from '../../../libs/engine/writer/call.js';
import { Drives } from '../../../libs/engine/drives/drives.js';
import { respond } from '../drive/drive-api.js';
import { DriveController } from '../drive/drive-controller.js';
import { Token } from '../drive/drive-guard.js';
import { Call, DriveRequest } from '../drive/drive-request.js';
import {
  ApiReadOrCommand,
  ApiData,
  ApiNoToken,
  Operation,
} from '../platform/openapi/openapi-decorators.js';
import { StreamedBody } from '../platform/requests/streamed.js';
import { IdPipe } from '../platform/requests/validation.js';
import { refusalError } from '../refusals.js';
import { readForm } from './form.js';
import { mediaTypeOf, refuseConditions, sha256Of } from './headers.js';
import { sentContent } from './sent-content.js';
import { UPLOAD_ERRORS, uploadError } from './upload-errors.js';

const REPR_DIGEST = {
  name: 'Repr-Digest',
  required: false,
  description: 'SHA-256 that the content must have (RFC 9530): `sha-256=:<base64>:`',
} as const;

const contentStoredView = view('ContentStored', { file: fileView });

@DriveController('directory', 'content')
export class UploadController {
  constructor(
    @Inject(ContentUploads) private readonly uploads: ContentUploads,
    @Inject(ContentLinks) private readonly links: ContentLinks,
    @Inject(Drives) private readonly drives: Drives,
  ) {}

  @Put('content/:file_id')
  @StreamedBody()
  @ApiReadOrCommand()
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' }, required: false })
  @ApiHeader(REPR_DIGEST)
  @ApiData(contentStoredView)
  @Operation({
    id: 'uploadFile',
    summary: 'Upload the content of a file',
    description:
      'For files on LOCAL_SSD disks. The body is the content, of any length; its Content-Type is stored, by default ' +
      'the type for the file’s name. The first upload fills the version that the file was created with; each further ' +
      'one is a new version. Requires EDIT on the file, before the bytes are read and again afterwards. With an ' +
      'Idempotency-Key the bytes are sent and compared again. A part (`Content-Range`) and `If-None-Match` are refused.',
    errors: UPLOAD_ERRORS,
  })
  put(
    @Call() call: DriveRequest,
    @Req() request: FastifyRequest,
    @Param('file_id', new IdPipe('FileID_')) id: string,
  ): Promise<unknown> {
    return this.receive(call, request, { id });
  }

  @Put('content/:folder_id/:name')
  @StreamedBody()
  @ApiReadOrCommand()
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' }, required: false })
  @ApiHeader(REPR_DIGEST)
  @ApiData(contentStoredView)
  @Operation({
    id: 'uploadFileByName',
    summary: 'Create or replace a file by its name in a folder',
    description:
      'In one request what `CREATE_FILE` and an upload do in two, for folders on LOCAL_SSD disks: `curl -T report.pdf ' +
      '…/directory/content/{folder_id}/` appends the name itself. If the folder has a file with that name, the body ' +
      'is a new version of it, which requires EDIT on the file; otherwise the file is created, which requires UPLOAD ' +
      'on the folder. The file and its content are stored together or not at all. Everything else is as in ' +
      '`uploadFile`.',
    errors: [...UPLOAD_ERRORS, 'folder.not-found'],
  })
  putByName(
    @Call() call: DriveRequest,
    @Req() request: FastifyRequest,
    @Param('folder_id', new IdPipe('FolderID_')) parent_folder_uuid: string,
    @Param('name') name: string,
  ): Promise<unknown> {
    return this.receive(call, request, { parent_folder_uuid, name });
  }

  @Post('content')
  @StreamedBody()
  @Token('ignored')
  @ApiNoToken()
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['policy', 'signature', 'file'],
      properties: {
        policy: { type: 'string' },
        signature: { type: 'string' },
        file: { type: 'string', format: 'binary', description: 'The last part of the form' },
      },
    },
  })
  @ApiData(contentStoredView)
  @Operation({
    id: 'uploadForm',
    summary: 'Upload the content of a file by form',
    description:
      'The `url` and `fields` of `upload` in the response to CREATE_FILE and UPDATE_FILE, as for buckets. The form ' +
      'needs no token: it acts for the user to whom it was given, with the permissions that the user has now. It is ' +
      'valid for 24 hours, for one version, and once. Fields come first and `file` last; other fields are ignored.',
    errors: [
      ...UPLOAD_ERRORS,
      'content.malformed-form',
      'content.upload-used',
      'content.upload-expired',
      'token.invalid',
    ],
  })
  async form(@Call() call: DriveRequest, @Req() request: FastifyRequest): Promise<unknown> {
    const { drive_id } = call;
    const form = await readForm(request, this.uploads.slow_ms);
    const drive = await this.drives.open(drive_id);
    const policy = this.links.policyOf(form.fields, drive_id, drive.now());
    if (isRefusal(policy)) throw refusalError(policy);
    const { file_id, version_id, max_bytes, sha256 } = policy;
    const holder = call.as(delegated(policy), policy.user_id);
    return respond(
      call.reply,
      this.store({
        drive_id,
        credential: holder.credential,
        target: { id: file_id, version_id },
        source: form.file,
        announced: { most_bytes: max_bytes, sha256 },
        media_type: form.media_type,
        dry_run: holder.command.dry_run ?? false,
        request: (sent) => commandOf(holder, request, sent),
      }),
    );
  }

  private receive(
    call: DriveRequest,
    request: FastifyRequest,
    target: ContentUpload['target'],
  ): Promise<unknown> {
    refuseConditions(request);
    const { source, bytes: size, type } = sentContent(request);
    return respond(
      call.reply,
      this.store({
        drive_id: call.drive_id,
        credential: call.credential,
        target,
        source,
        announced: { size, sha256: sha256Of(request) },
        media_type: mediaTypeOf(type),
        dry_run: call.command.dry_run ?? false,
        request: (sent) => commandOf(call, request, sent),
      }),
    );
  }

  /** Stores an upload; failures to receive it become errors of the API. */
  private async store(upload: ContentUpload): Promise<Outcome<ContentStored>> {
    try {
      return await this.uploads.store(upload);
    } catch (error) {
      throw uploadError(error);
    }
  }
}

/** The command of an upload: under an idempotency key, what was received stands for the body. */
function commandOf(call: DriveRequest, request: FastifyRequest, sent: object) {
  (request as { body: unknown }).body = sent;
  return call.command;
}
