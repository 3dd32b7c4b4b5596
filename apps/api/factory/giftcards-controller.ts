import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { giftcardReads, giftcardView } from '../../../libs/domain/giftcards/reads.js';
import { getQuery } from '../../../libs/application/drive-query.js';
import { giftcardCommands } from '../../../libs/domain/giftcards/commands.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import {
  giftcardRedemptionView,
  ListGiftcards,
  RedeemGiftcard,
} from '../../../libs/application/factory/giftcards.js';
import { deletedView } from '../../../libs/domain/foundation/record-answers.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiError, TOKEN_ERRORS } from '../platform/errors.js';
import { ListBody } from '../platform/requests/fields.js';
import {
  ApiData,
  ApiNoToken,
  ApiRead,
  Operation,
  page,
} from '../platform/openapi/openapi-decorators.js';
import { ADMIN, CLOSED, PAGES } from '../phrases.js';
import { IdPipe } from '../platform/requests/validation.js';
import { Registered } from '../platform/controllers.js';
import { diskSettings } from './factory-bodies.js';
import { FactoryGuard, KeyRequired } from './factory-guard.js';
import {
  CreateGiftcardBody,
  DeleteGiftcardBody,
  RedeemGiftcardBody,
  UpdateGiftcardBody,
} from './giftcard-bodies.js';

const createGiftcard = driveCommand(giftcardCommands.CreateGiftcard);
const deleteGiftcard = driveCommand(giftcardCommands.DeleteGiftcard);
const getGiftcard = getQuery('GetGiftcard', giftcardReads);
const updateGiftcard = driveCommand(giftcardCommands.UpdateGiftcard);

/** Gift cards; each spawns one organization. */
@Registered
@ApiTags('gift cards')
@Controller('v1/factory/giftcards/spawnorg')
@UseGuards(FactoryGuard)
export class GiftcardsController {
  constructor(private readonly api: DriveApi) {}

  @Post(['create', 'upsert'])
  @ApiNoToken()
  @ApiData(giftcardView)
  @Operation({
    id: 'createGiftcard',
    aliases: { upsert: 'upsertGiftcard' },
    summary: 'Create a gift card that spawns an organization',
    description: `${CLOSED} Only factory administrators can see the credentials of its disk.`,
    errors: [...TOKEN_ERRORS, 'request.external-id-in-use'],
  })
  create(
    @Call() call: DriveRequest,
    @Body() { bundled_default_disk: disk, ...body }: CreateGiftcardBody,
  ) {
    const bundled = disk && { bundled_default_disk: diskSettings(disk) };
    return this.api.run(call, createGiftcard, { ...body, ...bundled });
  }

  @Post('redeem')
  @ApiNoToken()
  @ApiData(giftcardRedemptionView, 'Success; the spawn code is shown only here')
  @Operation({
    id: 'redeemGiftcard',
    summary: 'Redeem a gift card, which spawns an organization',
    description:
      `A card can be redeemed once. Its id authorizes the call. ${CLOSED} The response contains the spawn ` +
      'code, which activates the organization at organization/redeem. The organization gets email and ' +
      'external_id. 412 if the card kept changing during the call.',
    errors: [
      ...TOKEN_ERRORS,
      'giftcard.not-found',
      'giftcard.redeemed',
      'request.precondition-failed',
    ],
  })
  redeem(@Call() call: DriveRequest, @Body() body: RedeemGiftcardBody) {
    const { owner_user_id, owner_icp_principal, ...input } = body;
    const owner = owner_user_id ?? owner_icp_principal;
    if (owner === undefined)
      throw ApiError.invalid([{ pointer: '/owner_user_id', reason: 'is required' }]);
    return this.api.run(call, RedeemGiftcard, { ...input, owner_user_id: owner });
  }

  @Get('get/:giftcard_id')
  @KeyRequired()
  @ApiData(giftcardView)
  @Operation({
    id: 'getGiftcard',
    summary: 'Read a gift card',
    description: ADMIN,
    errors: ['permission.denied', 'giftcard.not-found'],
  })
  get(
    @Call() call: DriveRequest,
    @Param('giftcard_id', new IdPipe('GiftcardSpawnOrgID_')) id: string,
  ) {
    return this.api.query(call, getGiftcard, { id });
  }

  @Post('list')
  @ApiRead()
  @KeyRequired()
  @ApiData(page(giftcardView))
  @Operation({
    id: 'listGiftcards',
    summary: 'List gift cards',
    description: `${ADMIN} \`filters\` matches notes. ${PAGES}`,
    errors: ['permission.denied'],
  })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.query(call, ListGiftcards, body);
  }

  @Post('update')
  @KeyRequired()
  @ApiData(giftcardView)
  @Operation({
    id: 'updateGiftcard',
    summary: 'Update a gift card',
    description: `${ADMIN} A disk in the body replaces the old one as a whole; null removes it.`,
    errors: [
      'permission.denied',
      'giftcard.not-found',
      'request.nothing-to-update',
      'request.external-id-in-use',
    ],
  })
  update(
    @Call() call: DriveRequest,
    @Body() { bundled_default_disk: disk, ...body }: UpdateGiftcardBody,
  ) {
    const bundled = disk !== undefined && { bundled_default_disk: disk && diskSettings(disk) };
    return this.api.run(call, updateGiftcard, { ...body, ...bundled });
  }

  @Post('delete')
  @KeyRequired()
  @ApiData(deletedView)
  @Operation({
    id: 'deleteGiftcard',
    summary: 'Delete a gift card',
    description: `${ADMIN} The organization that it spawned is not deleted.`,
    errors: ['permission.denied', 'giftcard.not-found'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteGiftcardBody) {
    return this.api.run(call, deleteGiftcard, body);
  }
}
