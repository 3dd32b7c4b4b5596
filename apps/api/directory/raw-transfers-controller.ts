import { Controller, Get, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DriveGuard } from '../drive/drive-guard.js';
import { ApiError } from '../platform/errors.js';
import { ApiNever } from '../platform/openapi/openapi-decorators.js';

/** Content through this service. It never passes here: clients send it to their disk's own address. */
@ApiTags('directory')
@Controller('v1/drive/:organization_id/directory')
@UseGuards(DriveGuard)
export class RawTransfersController {
  @Post('raw_upload/chunk')
  @ApiNever('server.not-implemented')
  uploadChunk(): never {
    throw ApiError.of('server.not-implemented');
  }

  @Post('raw_upload/complete')
  @ApiNever('server.not-implemented')
  completeUpload(): never {
    throw ApiError.of('server.not-implemented');
  }

  @Get('raw_download/meta')
  @ApiNever('server.not-implemented')
  downloadMeta(): never {
    throw ApiError.of('server.not-implemented');
  }

  @Get('raw_download/chunk')
  @ApiNever('server.not-implemented')
  downloadChunk(): never {
    throw ApiError.of('server.not-implemented');
  }
}
