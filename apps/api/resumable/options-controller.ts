import { Controller, HttpCode, Inject, Options, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Registered } from '../platform/controllers.js';
import { ApiNoToken, ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
import { Settings } from '../platform/settings/settings.js';
import { CHECKSUM_ALGORITHMS, TUS_EXTENSIONS, TUS_VERSION } from './tus-headers.js';

/** Tells clients what the service supports of tus. Browsers ask without a token, so no organization is looked up. */
@Registered
@ApiTags('content')
@Controller('v1/drive/:organization_id/directory/uploads')
export class UploadOptionsController {
  private readonly headers: Readonly<Record<string, string>>;

  constructor(@Inject(Settings) { content_max_bytes }: Settings) {
    this.headers = {
      'tus-resumable': TUS_VERSION,
      'tus-version': TUS_VERSION,
      'tus-extension': TUS_EXTENSIONS,
      'tus-checksum-algorithm': Object.keys(CHECKSUM_ALGORITHMS).join(','),
      'tus-max-size': String(content_max_bytes),
    };
  }

  @Options()
  @HttpCode(204)
  @ApiNoToken()
  @ApiRead()
  @ApiResponse({ status: 204, description: 'Tus-Version, Tus-Extension, Tus-Max-Size, …' })
  @Operation({ id: 'describeUploads', summary: 'Describe what is supported of tus 1.0.0' })
  ofUploads(@Res({ passthrough: true }) reply: FastifyReply): void {
    void reply.headers(this.headers);
  }

  @Options(':upload_id')
  @HttpCode(204)
  @ApiNoToken()
  @ApiRead()
  @ApiResponse({ status: 204, description: 'Tus-Version, Tus-Extension, Tus-Max-Size, …' })
  @Operation({
    id: 'describeUpload',
    summary: 'Describe what is supported of tus 1.0.0, for one upload',
  })
  ofUpload(@Res({ passthrough: true }) reply: FastifyReply): void {
    void reply.headers(this.headers);
  }
}
