import { Body, Get, Param, Post } from '@nestjs/common';
import { knownDriveReads, knownDriveView } from '../../../libs/domain/known-drives/reads.js';
import { getQuery, listQuery } from '../../../libs/application/drive-query.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import { knownDriveCommands } from '../../../libs/domain/known-drives/commands.js';
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
import {
  CreateKnownDriveBody,
  DeleteKnownDriveBody,
  UpdateKnownDriveBody,
} from './known-drive-bodies.js';

const getKnownDrive = getQuery('GetKnownDrive', knownDriveReads);
const listKnownDrives = listQuery('ListKnownDrives', knownDriveReads);

const createKnownDrive = driveCommand(knownDriveCommands.CreateKnownDrive);
const updateKnownDrive = driveCommand(knownDriveCommands.UpdateKnownDrive);
const deleteKnownDrive = driveCommand(knownDriveCommands.DeleteKnownDrive);

@DriveController('drives')
export class KnownDrivesController {
  constructor(private readonly api: DriveApi) {}

  @ReadRoute(Get('get/:drive_id'), knownDriveView, {
    id: 'getKnownDrive',
    summary: 'Read an organization in the address book',
    description: 'A caller without permission gets 403 whether or not the record exists.',
    errors: ['permission.denied', 'drive.not-found'],
  })
  get(@Call() call: DriveRequest, @Param('drive_id', new IdPipe('DriveID_')) id: string) {
    return this.api.query(call, getKnownDrive, { id });
  }

  @ReadRoute(Post('list'), page(knownDriveView), {
    id: 'listKnownDrives',
    summary: 'List the organizations in the address book, including this one',
    description: PAGES,
  })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.query(call, listKnownDrives, body);
  }

  @CommandRoute('create', knownDriveView, {
    id: 'createKnownDrive',
    summary: 'Add an organization to the address book',
    description:
      'The default id is DriveID_ followed by the principal; it can be reused after a deletion. ' +
      'The default host_url is https://{icp_principal}.icp0.io.',
    errors: ['permission.denied', 'request.id-in-use'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateKnownDriveBody) {
    return this.api.run(call, createKnownDrive, body);
  }

  @CommandRoute('update', knownDriveView, {
    id: 'updateKnownDrive',
    summary: 'Update an organization in the address book',
    description:
      "Renaming the organization's own record renames the organization, whose email and external_id stay those of " +
      'its creation; the principal of that record cannot be changed. ' +
      'Null resets host_url to the default.',
    errors: ['permission.denied', 'drive.not-found', 'request.nothing-to-update'],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdateKnownDriveBody) {
    return this.api.run(call, updateKnownDrive, body);
  }

  @CommandRoute('delete', deletedView, {
    id: 'deleteKnownDrive',
    summary: 'Remove an organization from the address book',
    description: "The organization's own record cannot be removed.",
    errors: ['permission.denied', 'drive.not-found', 'drive.own-undeletable'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteKnownDriveBody) {
    return this.api.run(call, deleteKnownDrive, body);
  }
}
