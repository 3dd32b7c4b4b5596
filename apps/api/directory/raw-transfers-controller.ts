import { Get, Post } from '@nestjs/common';
import { ApiError } from '../platform/errors.js';
import { ApiAlwaysFails, Operation } from '../platform/openapi/openapi-decorators.js';
import { DriveController } from '../drive/drive-controller.js';

const NOT_IMPLEMENTED = {
  summary: 'Not implemented',
  description: 'Clients transfer content directly to and from the disk, not through this service.',
  errors: ['server.not-implemented'],
};

/** Routes for content transfer, which the service does not implement: clients use the disk directly. */
@DriveController('directory')
export class RawTransfersController {
  @Post('raw_upload/chunk')
  @ApiAlwaysFails()
  @Operation(NOT_IMPLEMENTED)
  uploadChunk(): never {
    throw ApiError.of('server.not-implemented');
  }

  @Post('raw_upload/complete')
  @ApiAlwaysFails()
  @Operation(NOT_IMPLEMENTED)
  completeUpload(): never {
    throw ApiError.of('server.not-implemented');
  }

  @Get('raw_download/meta')
  @ApiAlwaysFails()
  @Operation(NOT_IMPLEMENTED)
  downloadMeta(): never {
    throw ApiError.of('server.not-implemented');
  }

  @Get('raw_download/chunk')
  @ApiAlwaysFails()
  @Operation(NOT_IMPLEMENTED)
  downloadChunk(): never {
    throw ApiError.of('server.not-implemented');
  }
}
