import { Get, Inject, Logger, Param, Query, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Downloads } from '../../../libs/application/content/downloads.js';
import { ContentBusy } from '../../../libs/application/content/places.js';
import {
  ContentLinks,
  delegated,
  LINK_PARAMETER,
} from '../../../libs/application/content/links.js';
import { type Asset, GetAsset } from '../../../libs/application/directory/asset.js';
import { ContentMissing } from '../../../libs/content-store/port.js';
import { DamagedContent, type OpenedRange } from '../../../libs/content-store/sealed.js';
import type { OwnContent } from '../../../libs/domain/directory/items/asset.js';
import { isRefusal } from '../../../libs/domain/kernel/refusal.js';
import { Drives } from '../../../libs/engine/drives/drives.js';
import { AsOf } from '../drive/as-of.js';
import { dataOf, throwUnavailable } from '../drive/drive-api.js';
import { DriveController } from '../drive/drive-controller.js';
import { Token } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { TOKEN_ERRORS } from '../platform/errors.js';
import { Metrics } from '../platform/metrics.js';
import { ApiNoToken, Operation } from '../platform/openapi/openapi-decorators.js';
import { Rule } from '../platform/requests/rule.js';
import { id, text } from '../platform/requests/rules.js';
import { RulePipe } from '../platform/requests/validation.js';
import { contentError, refusalError } from '../refusals.js';
import { assetFileId } from './asset-id.js';
import { contentHeaders, isUnchanged, rangeOf } from './download-headers.js';
import { busyError } from './upload-errors.js';

/** Any type, as sent by the service. */
const BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } };

/** Checks a query parameter, which may be absent. */
function optional(rule: Rule): RulePipe {
  return new RulePipe(new Rule(rule.schema, (value) => rule.take(value)));
}

@DriveController('directory', 'content')
export class AssetController {
  private readonly damaged: { inc(): void };
  private readonly logger = new Logger(AssetController.name);

  constructor(
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(Downloads) private readonly downloads: Downloads,
    @Inject(ContentLinks) private readonly links: ContentLinks,
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Metrics) metrics: Metrics,
  ) {
    this.damaged = metrics.counter(
      'content_damaged_total',
      'Downloads that ended because stored content is damaged or missing',
    );
  }

  @Get('asset/:file_id_with_extension')
  @AsOf()
  @Token('optional')
  @ApiNoToken()
  @ApiQuery({
    name: 'version_id',
    required: false,
    schema: { type: 'string' },
    description: 'A version; default: the current one. Former versions require EDIT or AUDIT',
  })
  @ApiQuery({
    name: 'download',
    required: false,
    schema: { type: 'string', enum: ['1'] },
    description: '`1`: browsers save the content instead of displaying it',
  })
  @ApiQuery({
    name: LINK_PARAMETER,
    required: false,
    schema: { type: 'string' },
    description: 'In a link from GET_FILE with `request_download_url`: instead of a token',
  })
  @ApiResponse({ status: 200, description: 'The content, on LOCAL_SSD disks', content: BYTES })
  @ApiResponse({
    status: 206,
    description: 'The part of the content that Range names',
    content: BYTES,
  })
  @ApiResponse({
    status: 302,
    description:
      'The content is at `Location`; the URL of an object in a bucket is valid for one hour',
    headers: { Location: { schema: { type: 'string' } } },
  })
  @ApiResponse({ status: 304, description: 'The client has the content' })
  @Operation({
    id: 'getFile',
    summary: 'Download the content of a file',
    description:
      'Requires VIEW; a former version, EDIT or VIEW on AUDIT instead. Files that PUBLIC may view need no token; ' +
      'an invalid token is ignored. Files in the ' +
      'trash and expired files are 404. On LOCAL_SSD disks the service sends the content, with ranges; the ETag is ' +
      'its SHA-256. With `as_of`, a token is always required, and content in a bucket is not available, because its ' +
      'URL would have to be signed with a secret.',
    errors: [
      ...TOKEN_ERRORS,
      'permission.denied',
      'file.not-found',
      'file.version-not-found',
      'file.content-not-served',
      'content.none',
      'content.gone',
      'content.range',
      'content.busy',
      'content.upload-expired',
    ],
  })
  async asset(
    @Call() call: DriveRequest,
    @Req() request: FastifyRequest,
    @Param('file_id_with_extension', new RulePipe(assetFileId)) file_id: string,
    @Query('version_id', optional(id('FileVersionID_'))) version_id: string | undefined,
    @Query('download') download: string | undefined,
    @Query(LINK_PARAMETER, optional(text())) link: string | undefined,
  ): Promise<unknown> {
    const { reply } = call;
    const asked = link === undefined ? { version_id } : await this.linked(call, file_id, link);
    const reader = 'reader' in asked ? asked.reader : call;
    const query = new GetAsset(reader, { file_id, version_id: asked.version_id });
    const asset = (await dataOf(reply, this.queries.execute(query))) as Asset;
    if ('url' in asset) {
      void reply
        .header('Cache-Control', 'no-store, max-age=0')
        .header('Location', inHeader(asset.url));
      return reply.code(302).send();
    }
    return this.send(call.drive_id, request, reply, asset.content, download === '1');
  }

  /** The version that a link names, for the caller to whom it was given. */
  private async linked(call: DriveRequest, file_id: string, link: string) {
    const { drive_id } = call;
    const drive = await this.drives.open(drive_id);
    const given = this.links.linked(link, drive_id, drive.now());
    if (isRefusal(given)) throw refusalError(given);
    if (given.file_id !== file_id) throw refusalError({ refusal: 'upload-expired', details: [] });
    return { version_id: given.version_id, reader: { drive_id, credential: delegated(given) } };
  }

  private async send(
    drive_id: string,
    request: FastifyRequest,
    reply: FastifyReply,
    content: OwnContent,
    is_download: boolean,
  ): Promise<unknown> {
    void reply.headers(contentHeaders(content, is_download));
    if (isUnchanged(request, content)) return reply.code(304).send();
    const range = rangeOf(request, content);
    const { size } = content;
    if (range === 'unsatisfiable') {
      void reply.header('content-range', `bytes */${size}`);
      throw contentError('content.range', { 'Content-Range': `bytes */${size}` });
    }
    const { from, to } = range ?? { from: 0, to: size };
    const bytes = await this.bytesOf(drive_id, request, content, { size, from, to });
    void reply.header('content-length', to - from);
    if (request.method === 'HEAD') {
      bytes.destroy();
      // For nothing, Fastify sets the length 0.
      return Readable.from([]);
    }
    if (range) void reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${size}`);
    return bytes;
  }

  /** The bytes of a content as a stream. Damage ends the connection: the client must not take a part for the whole. */
  private async bytesOf(
    drive_id: string,
    request: FastifyRequest,
    content: OwnContent,
    range: OpenedRange,
  ): Promise<Readable> {
    const failed = (error: unknown): void => {
      this.damaged.inc();
      this.logger.error(`content ${content.content_id} of ${drive_id} not sent: ${String(error)}`);
      request.raw.socket.destroy();
    };
    try {
      const evict = (): void => void request.raw.socket.destroy();
      const chunks = await this.downloads.read(drive_id, content, range, evict);
      if (isRefusal(chunks)) throw refusalError(chunks);
      const stream = Readable.from(chunks, { objectMode: false });
      stream.on('error', (error) => {
        if (isDamage(error)) failed(error);
      });
      return stream;
    } catch (error) {
      if (isDamage(error)) failed(error);
      if (error instanceof ContentBusy) throw busyError();
      return throwUnavailable(error);
    }
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof DamagedContent || error instanceof ContentMissing;
}

/** Encodes a URL for a header; a URL of visible ASCII characters stays unchanged. */
function inHeader(url: string): string {
  return /^[!-~]*$/.test(url) ? url : new URL(url).href;
}
