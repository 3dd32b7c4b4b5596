import { Body, Get, Param, Post } from '@nestjs/common';
import { groupReads, groupView } from '../../../libs/domain/groups/reads.js';
import { getQuery, listQuery } from '../../../libs/application/drive-query.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import { groupCommands } from '../../../libs/domain/groups/definitions.js';
import { ValidateMembership } from '../../../libs/application/groups/invites.js';
import { deletedView } from '../../../libs/domain/foundation/record-answers.js';
import { membershipView } from '../../../libs/domain/groups/validate.js';
import { ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { CommandRoute } from '../drive/command-routes.js';
import { ListBody } from '../platform/requests/fields.js';
import { page } from '../platform/openapi/openapi-decorators.js';
import { PAGES } from '../phrases.js';
import { IdPipe } from '../platform/requests/validation.js';
import { DriveController } from '../drive/drive-controller.js';
import { CreateGroupBody, DeleteGroupBody, UpdateGroupBody } from './group-bodies.js';
import { ValidateMembershipBody } from './invite-bodies.js';

const getGroup = getQuery('GetGroup', groupReads);
const listGroups = listQuery('ListGroups', groupReads);

const createGroup = driveCommand(groupCommands.CreateGroup);
const updateGroup = driveCommand(groupCommands.UpdateGroup);
const deleteGroup = driveCommand(groupCommands.DeleteGroup);

@DriveController('groups')
export class GroupsController {
  constructor(private readonly api: DriveApi) {}

  @ReadRoute(Get('get/:group_id'), groupView, {
    id: 'getGroup',
    summary: 'Read a group',
    errors: ['permission.denied', 'group.not-found'],
  })
  get(@Call() call: DriveRequest, @Param('group_id', new IdPipe('GroupID_')) id: string) {
    return this.api.query(call, getGroup, { id });
  }

  @ReadRoute(Post('list'), page(groupView), {
    id: 'listGroups',
    summary: 'List groups',
    description: PAGES,
  })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.query(call, listGroups, body);
  }

  @CommandRoute('create', groupView, {
    id: 'createGroup',
    summary: 'Create a group',
    description: 'The caller becomes its owner and admin.',
    errors: ['permission.denied', 'request.id-in-use'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateGroupBody) {
    return this.api.run(call, createGroup, body);
  }

  @CommandRoute('update', groupView, {
    id: 'updateGroup',
    summary: 'Update a group',
    errors: ['permission.denied', 'group.not-found', 'request.nothing-to-update'],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdateGroupBody) {
    return this.api.run(call, updateGroup, body);
  }

  @CommandRoute('delete', deletedView, {
    id: 'deleteGroup',
    summary: 'Delete a group',
    description: 'Its invites and all grants on it or to it are deleted, too.',
    errors: ['permission.denied', 'group.not-found'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteGroupBody) {
    return this.api.run(call, deleteGroup, body);
  }

  @ReadRoute(Post('validate'), membershipView, {
    id: 'validateMembership',
    summary: 'Check whether a user is a member of a group',
    errors: ['group.not-found'],
  })
  validate(@Call() call: DriveRequest, @Body() body: ValidateMembershipBody) {
    return this.api.query(call, ValidateMembership, body);
  }
}
