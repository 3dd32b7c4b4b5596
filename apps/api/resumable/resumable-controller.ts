import { Delete, Head, HttpCode, Inject, Param, Patch, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeaders, ApiResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import {
  type Addition,
  ResumableUploads,
  type UploadCaller,
  type UploadState,
} from '../../../libs/application/content/resumable/resumable-uploads.js';
import type { Outcome } from '../../../libs/engine/writer/call.js';
import { Drives } from '../../../libs/engine/drives/drives.js';
import { dataOf } from '../drive/drive-api.js';
import { DriveController } from '../drive/drive-controller.js';
import { Call, type DriveRequest, isDryRun } from '../drive/drive-request.js';
import { ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
import { hasBody, StreamedBody } from '../platform/requests/streamed.js';
import { contentError, invalidHeader } from '../refusals.js';
import { sentContent } from '../content/sent-content.js';
import { UPLOAD_ERRORS } from '../content/upload-errors.js';
import { RESUMABLE_ERRORS, resumableError } from './resumable-errors.js';
import { TusGuard } from './tus-guard.js';
import {
  BYTES_TYPE,
  bytesIn,
  checksumIn,
  invalid,
  lengthIn,
  metadataIn,
  TUS_VERSION,
} from './tus-headers.js';

const TUS_RESUMABLE = {
  name: 'Tus-Resumable',
  required: true,
  description: 'Version of the protocol: 1.0.0',
};
const header = (name: string, description: string, required = false) => ({
  name,
  description,
  required,
});
const CHECKSUM = header(
  'Upload-Checksum',
  'Algorithm (sha1 or sha256) and digest in base64 of this body. If it is wrong: 460, and nothing of the body is kept',
);
const AUDIT_REASON = header('Audit-Reason', 'Reason stored with the event, if this completes it');
const BODY = { schema: { type: 'string', format: 'binary' }, required: false } as const;

/** Resumable uploads of the content of files: tus 1.0.0. */
@DriveController('directory/uploads', 'content')
@UseGuards(TusGuard)
export class ResumableController {
  constructor(
    @Inject(ResumableUploads) private readonly uploads: ResumableUploads,
    @Inject(Drives) private readonly drives: Drives,
  ) {}

  @Post()
  @HttpCode(201)
  @StreamedBody()
  @ApiRead()
  @ApiConsumes(BYTES_TYPE)
  @ApiBody(BODY)
  @ApiHeaders([
    TUS_RESUMABLE,
    header('Upload-Length', 'Bytes of the content'),
    header('Upload-Defer-Length', '1: a PATCH will announce the length'),
    header(
      'Upload-Metadata',
      'Pairs of a key and a value in base64: `file_id` (required), `filetype` (the media type; default: the type for ' +
        'the file’s name), `sha256` (of the content, in hex or base64). Others are kept for HEAD',
      true,
    ),
    CHECKSUM,
    AUDIT_REASON,
  ])
  @ApiResponse({ status: 201, description: 'Created; Location is the URL of the upload' })
  @Operation({
    id: 'createUpload',
    summary: 'Create a resumable upload (tus 1.0.0)',
    description:
      'For files on LOCAL_SSD disks. Requires EDIT on the file, now and when the upload is complete. The upload ' +
      'belongs to its user, and expires after 24 hours (Upload-Expires). The body may have its first bytes.',
    errors: [...UPLOAD_ERRORS, ...RESUMABLE_ERRORS],
  })
  async create(@Call() call: DriveRequest, @Req() request: FastifyRequest): Promise<void> {
    const { headers } = request;
    const caller = callerOf(call, request);
    if (headers['upload-concat'] !== undefined)
      throw invalid('Upload-Concat', 'is not supported: the service has no concatenation');
    const wanted = { ...metadataIn(headers), length: lengthIn(headers) };
    const first = hasBody(request) ? additionOf(request, 0) : null;
    const created = await this.run(call, this.uploads.create(caller, wanted));
    const { upload_id } = created;
    let state = created;
    if (first && !created.is_finished) {
      try {
        state = await this.run(call, this.uploads.add(caller, upload_id, first));
      } catch (error) {
        // The client does not know the upload.
        await this.uploads.terminate(caller, upload_id).catch(() => {});
        throw error;
      }
    }
    const { host_url } = this.drives.settings;
    const path = `/v1/drive/${call.drive_id}/directory/uploads/${upload_id}`;
    void call.reply.header('location', host_url + path);
    if (first) void call.reply.header('upload-offset', String(state.offset));
    addExpiry(call, state);
  }

  @Head(':upload_id')
  @ApiRead()
  @ApiHeaders([TUS_RESUMABLE, AUDIT_REASON])
  @ApiResponse({
    status: 200,
    description: 'Upload-Offset has the number of bytes received; Upload-Length the length',
  })
  @Operation({
    id: 'getUpload',
    summary: 'Get the offset of a resumable upload (tus 1.0.0)',
    description:
      'A request that still sends bytes is ended, and its bytes are kept. If all bytes are there and the service was ' +
      'stopped before it could complete the upload, it does so now.',
    errors: [...UPLOAD_ERRORS, ...RESUMABLE_ERRORS],
  })
  async state(
    @Call() call: DriveRequest,
    @Req() request: FastifyRequest,
    @Param('upload_id') id: string,
  ): Promise<void> {
    const state = await this.run(call, this.uploads.state(callerOf(call, request), id));
    const { length, metadata } = state;
    void call.reply
      .header('cache-control', 'no-store')
      .header('upload-offset', String(state.offset))
      .header('upload-metadata', metadata);
    if (length === null) void call.reply.header('upload-defer-length', '1');
    else void call.reply.header('upload-length', String(length));
    addExpiry(call, state);
  }

  @Patch(':upload_id')
  @HttpCode(204)
  @StreamedBody()
  @ApiRead()
  @ApiConsumes(BYTES_TYPE)
  @ApiBody(BODY)
  @ApiHeaders([
    TUS_RESUMABLE,
    header('Upload-Offset', 'Number of bytes received so far', true),
    header('Upload-Length', 'Bytes of the content, if they were not announced before'),
    CHECKSUM,
    AUDIT_REASON,
  ])
  @ApiResponse({
    status: 204,
    description: 'Received; with the last byte, the content is stored and Drive-Revision has it',
  })
  @Operation({
    id: 'resumeUpload',
    summary: 'Send bytes of a resumable upload (tus 1.0.0)',
    description:
      'If the request breaks off, the bytes received are kept, unless it has a checksum. With the last byte the ' +
      'upload becomes the content of the file, as with PUT; if that is refused, the upload is deleted, except for a ' +
      'revoked API key (401).',
    errors: [...UPLOAD_ERRORS, ...RESUMABLE_ERRORS],
  })
  async add(
    @Call() call: DriveRequest,
    @Req() request: FastifyRequest,
    @Param('upload_id') id: string,
  ): Promise<void> {
    const caller = callerOf(call, request);
    const offset = bytesIn(request.headers, 'Upload-Offset');
    if (offset === undefined) throw invalid('Upload-Offset', 'is required');
    const length = bytesIn(request.headers, 'Upload-Length');
    const addition = { ...additionOf(request, offset), length };
    const state = await this.run(call, this.uploads.add(caller, id, addition));
    void call.reply.header('upload-offset', String(state.offset));
    addExpiry(call, state);
  }

  @Delete(':upload_id')
  @HttpCode(204)
  @ApiRead()
  @ApiHeaders([TUS_RESUMABLE])
  @ApiResponse({ status: 204, description: 'Deleted' })
  @Operation({
    id: 'deleteUpload',
    summary: 'Delete a resumable upload (tus 1.0.0)',
    description:
      'The bytes received so far are deleted too. The content of a complete upload stays that of the file.',
    errors: RESUMABLE_ERRORS,
  })
  async terminate(
    @Call() call: DriveRequest,
    @Req() request: FastifyRequest,
    @Param('upload_id') id: string,
  ): Promise<void> {
    try {
      await this.uploads.terminate(callerOf(call, request), id);
    } catch (error) {
      throw resumableError(error);
    }
  }

  /** The state in an outcome. @throws ApiError */
  private async run(
    { reply }: DriveRequest,
    running: Promise<Outcome<UploadState>>,
  ): Promise<UploadState> {
    const mapped = running.catch((error: unknown) => {
      throw resumableError(error);
    });
    return (await dataOf(reply, mapped)) as UploadState;
  }
}

/** The caller of an upload; what it completes is under a key of the upload, not of the client. */
function callerOf(call: DriveRequest, request: FastifyRequest): UploadCaller {
  if (request.headers['tus-resumable'] !== TUS_VERSION)
    throw contentError('upload.wrong-version', { 'Tus-Version': TUS_VERSION });
  if (isDryRun(request)) throw invalidHeader('Resumable uploads do not support Dry-Run.');
  const { drive_id, user_id, credential, unkeyed_command } = call;
  return { drive_id, user_id, credential, request: unkeyed_command };
}

function additionOf(request: FastifyRequest, offset: number): Addition {
  const { source, bytes, type } = sentContent(request);
  if (hasBody(request) && type?.toLowerCase() !== BYTES_TYPE)
    throw contentError('upload.wrong-type');
  return {
    offset,
    // The response to a refused request is sent on the same connection.
    source: source.iterator({ destroyOnReturn: false }),
    bytes,
    length: undefined,
    checksum: checksumIn(request.headers),
  };
}

function addExpiry({ reply }: DriveRequest, { is_finished, expires_at }: UploadState): void {
  if (!is_finished) void reply.header('upload-expires', new Date(expires_at).toUTCString());
}
