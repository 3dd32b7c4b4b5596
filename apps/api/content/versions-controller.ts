import { Body, Get, Inject, Post } from '@nestjs/common';
import { ListVersions } from '../../../libs/application/content/list-versions.js';
import { GetContentUsage } from '../../../libs/application/content/usage.js';
import { usageView } from '../../../libs/domain/directory/content/usage.js';
import { versionView } from '../../../libs/domain/directory/content/versions.js';
import { ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveController } from '../drive/drive-controller.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { page } from '../platform/openapi/openapi-decorators.js';
import { Id, OneOf, PageBody } from '../platform/requests/fields.js';

class ListVersionsBody extends PageBody {
  @Id('FileID_', { required: true }) file_id!: string;
  @OneOf(['ASC', 'DESC'], { default: 'DESC' }) override direction: 'ASC' | 'DESC' = 'DESC';
}

/** Versions of files, and what they take. */
@DriveController('directory', 'content')
export class VersionsController {
  constructor(@Inject(DriveApi) private readonly api: DriveApi) {}

  @ReadRoute(Post('versions'), page(versionView), {
    id: 'listFileVersions',
    summary: 'List the versions of a file',
    description:
      'By number, the newest first unless direction is ASC. Requires EDIT on the file, or VIEW on AUDIT: former ' +
      'versions may contain what was removed on purpose.',
    errors: ['permission.denied', 'file.not-found'],
  })
  list(@Call() call: DriveRequest, @Body() body: ListVersionsBody): unknown {
    return this.api.query(call, ListVersions, body);
  }

  @ReadRoute(Get('usage'), usageView, {
    id: 'getContentUsage',
    summary: 'Show how much content the organization has stored',
    description: 'Requires VIEW on DISKS. Disks show their own share in `used_bytes`.',
    errors: ['permission.denied'],
  })
  usage(@Call() call: DriveRequest): unknown {
    return this.api.query(call, GetContentUsage, {});
  }
}
