import { Get, Post } from '@nestjs/common';
import { ApiError } from '../platform/errors.js';
import { ApiExcludeController } from '@nestjs/swagger';
import { DriveController } from '../drive/drive-controller.js';

const notImplemented = (): never => {
  throw ApiError.of('server.not-implemented', {
    message:
      'Not implemented. Upload with PUT directory/content/{file_id}, download from directory/asset/{file_id}.',
  });
};

/** Routes of an older interface that transferred content in chunks. */
@ApiExcludeController()
@DriveController('directory')
export class RawTransfersController {
  @Post('raw_upload/chunk')
  uploadChunk(): never {
    return notImplemented();
  }

  @Post('raw_upload/complete')
  completeUpload(): never {
    return notImplemented();
  }

  @Get('raw_download/meta')
  downloadMeta(): never {
    return notImplemented();
  }

  @Get('raw_download/chunk')
  downloadChunk(): never {
    return notImplemented();
  }
}
