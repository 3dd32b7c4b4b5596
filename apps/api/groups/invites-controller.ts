import { Body, Get, Param, Post } from '@nestjs/common';
import { inviteReads, inviteView } from '../../../libs/domain/groups/invites-reads.js';
import { getQuery } from '../../../libs/application/drive-query.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import { ListInvites, RedeemInvite } from '../../../libs/application/groups/invites.js';
import { deletedView } from '../../../libs/domain/foundation/record-answers.js';
import { inviteCommands, inviteRedeemedView } from '../../../libs/domain/groups/definitions.js';
import { ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { CommandRoute } from '../drive/command-routes.js';
import { page } from '../platform/openapi/openapi-decorators.js';
import { PAGES } from '../phrases.js';
import { IdPipe } from '../platform/requests/validation.js';
import { DriveController } from '../drive/drive-controller.js';
import {
  CreateInviteBody,
  DeleteInviteBody,
  ListInvitesBody,
  RedeemInviteBody,
  UpdateInviteBody,
} from './invite-bodies.js';

const getInvite = getQuery('GetInvite', inviteReads);

const createInvite = driveCommand(inviteCommands.CreateInvite);
const updateInvite = driveCommand(inviteCommands.UpdateInvite);
const deleteInvite = driveCommand(inviteCommands.DeleteInvite);

@DriveController('groups/invites', 'group invites')
export class InvitesController {
  constructor(private readonly api: DriveApi) {}

  @ReadRoute(Get('get/:invite_id'), inviteView, {
    id: 'getInvite',
    summary: 'Read a group invite',
    errors: ['permission.denied', 'invite.not-found'],
  })
  get(@Call() call: DriveRequest, @Param('invite_id', new IdPipe('GroupInviteID_')) id: string) {
    return this.api.query(call, getInvite, { id });
  }

  @ReadRoute(Post('list'), page(inviteView), {
    id: 'listInvites',
    summary: 'List the invites of a group, including expired ones',
    description: PAGES,
    errors: ['permission.denied', 'group.not-found'],
  })
  list(@Call() call: DriveRequest, @Body() body: ListInvitesBody) {
    return this.api.query(call, ListInvites, body);
  }

  @CommandRoute('create', inviteView, {
    id: 'createInvite',
    summary: 'Invite a user, a placeholder or PUBLIC to a group',
    description:
      'An invited user is a member immediately, within the time window of the invite. Without invitee_id, a ' +
      'placeholder with a redeem code is created.',
    errors: ['permission.denied', 'group.not-found', 'request.id-in-use'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateInviteBody) {
    return this.api.run(call, createInvite, body);
  }

  @CommandRoute('update', inviteView, {
    id: 'updateInvite',
    summary: 'Update an invite',
    errors: ['permission.denied', 'invite.not-found', 'request.nothing-to-update'],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdateInviteBody) {
    return this.api.run(call, updateInvite, body);
  }

  @CommandRoute('delete', deletedView, {
    id: 'deleteInvite',
    summary: 'Delete an invite',
    description:
      'If the invitee is a user, all invites of that user to the group are deleted, unless the caller is ' +
      'only the inviter.',
    errors: ['permission.denied', 'invite.not-found'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteInviteBody) {
    return this.api.run(call, deleteInvite, body);
  }

  @CommandRoute('redeem', inviteRedeemedView, {
    id: 'redeemInvite',
    summary: 'Join a group with a redeem code',
    description:
      'The caller becomes the member. If the caller has no contact, one is created. A public invite answers with ' +
      'the active invite that the caller has in the group, or with one that it gave them and that has not begun.',
    errors: [
      'redeem.code-invalid',
      'redeem.not-redeemable',
      'permission.denied',
      'invite.not-found',
      'user.former-id',
    ],
  })
  redeem(@Call() call: DriveRequest, @Body() body: RedeemInviteBody) {
    return this.api.run(call, RedeemInvite, body);
  }
}
