import { Body, Get, Param, Post } from '@nestjs/common';
import { diskReads, diskView } from '../../../libs/domain/disks/reads.js';
import { getQuery, listQuery } from '../../../libs/application/drive-query.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import { diskCommands } from '../../../libs/domain/disks/commands.js';
import { deletedView } from '../../../libs/domain/foundation/record-answers.js';
import { ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { CommandRoute } from '../drive/command-routes.js';
import { ListBody } from '../platform/requests/fields.js';
import { page } from '../platform/openapi/openapi-decorators.js';
import { PAGES } from '../phrases.js';
import { IdPipe } from '../platform/requests/validation.js';
import { DriveController } from '../drive/drive-controller.js';
import { CreateDiskBody, DeleteDiskBody, UpdateDiskBody } from './disk-bodies.js';

const getDisk = getQuery('GetDisk', diskReads);
const listDisks = listQuery('ListDisks', diskReads);

const createDisk = driveCommand(diskCommands.CreateDisk);
const updateDisk = driveCommand(diskCommands.UpdateDisk);
const deleteDisk = driveCommand(diskCommands.DeleteDisk);

@DriveController('disks')
export class DisksController {
  constructor(private readonly api: DriveApi) {}

  @ReadRoute(Get('get/:disk_id'), diskView, {
    id: 'getDisk',
    summary: 'Read a disk',
    errors: ['permission.denied', 'disk.not-found'],
  })
  get(@Call() call: DriveRequest, @Param('disk_id', new IdPipe('DiskID_')) id: string) {
    return this.api.query(call, getDisk, { id });
  }

  @ReadRoute(Post('list'), page(diskView), {
    id: 'listDisks',
    summary: 'List disks',
    description: PAGES,
  })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.query(call, listDisks, body);
  }

  @CommandRoute('create', diskView, {
    id: 'createDisk',
    summary: 'Create a disk with its root and trash folders',
    description: 'By default, Group for All gets VIEW, UPLOAD and EDIT on the root folder.',
    errors: ['permission.denied', 'request.id-in-use'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateDiskBody) {
    return this.api.run(call, createDisk, withEndpoint(body));
  }

  @CommandRoute('update', diskView, {
    id: 'updateDisk',
    summary: 'Update a disk',
    description: 'The type of a disk cannot be changed.',
    errors: ['permission.denied', 'disk.not-found', 'request.nothing-to-update'],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdateDiskBody) {
    return this.api.run(call, updateDisk, withEndpoint(body));
  }

  @CommandRoute('delete', deletedView, {
    id: 'deleteDisk',
    summary: 'Delete a disk with its folders, files and grants',
    description: 'Objects in an external bucket are not deleted.',
    errors: ['permission.denied', 'disk.not-found', 'directory.too-many-items'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteDiskBody) {
    return this.api.run(call, deleteDisk, body);
  }
}

interface Endpoints {
  endpoint?: string | null;
  billing_url?: string | null;
}

/** `billing_url` is an alias of `endpoint`. */
function withEndpoint<Body extends Endpoints>({
  billing_url,
  ...body
}: Body): Omit<Body, 'billing_url'> {
  if (body.endpoint !== undefined || billing_url === undefined) return body;
  return { ...body, endpoint: billing_url };
}
