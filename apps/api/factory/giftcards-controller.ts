import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateGiftcard,
  DeleteGiftcard,
  GetGiftcard,
  ListGiftcards,
  RedeemGiftcard,
  UpdateGiftcard,
} from '../../../libs/application/factory/giftcards.js';
import { cleared } from '../cleared.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ApiError, TOKEN_ERRORS } from '../platform/errors.js';
import { ListBody } from '../platform/requests/fields.js';
import { ApiData, ApiOpen, ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
import { ADMIN, CLOSED, PAGES } from '../phrases.js';
import { IdPipe } from '../platform/requests/validation.js';
import { DeletedRecord } from '../records/deleted.js';
import { diskSettings } from './factory-bodies.js';
import { FactoryGuard, KeyRequired } from './factory-guard.js';
import {
  CreateGiftcardBody,
  DeleteGiftcardBody,
  RedeemGiftcardBody,
  UpdateGiftcardBody,
} from './giftcard-bodies.js';
import { GiftcardRecord, GiftcardRedemptionRecord } from './giftcard-records.js';

/** Cards that spawn an organization, each once. */
@ApiTags('factory')
@Controller('v1/factory/giftcards/spawnorg')
@UseGuards(FactoryGuard)
export class GiftcardsController {
  constructor(private readonly api: DriveApi) {}

  @Post(['create', 'upsert'])
  @ApiOpen()
  @ApiData(GiftcardRecord)
  @Operation({
    summary: 'Make a gift card that spawns an organization',
    description: `${CLOSED} The credentials of its disk are shown to factory admins only.`,
    errors: [...TOKEN_ERRORS, 'request.external-id-in-use'],
  })
  create(
    @Call() call: DriveRequest,
    @Body() { bundled_default_disk: disk, ...body }: CreateGiftcardBody,
  ) {
    const bundled = disk && { bundled_default_disk: diskSettings(disk) };
    return this.api.run(call, CreateGiftcard, { ...body, ...bundled });
  }

  @Post('redeem')
  @ApiOpen()
  @ApiData(GiftcardRedemptionRecord, 'The only time the spawn code is shown')
  @Operation({
    summary: 'Spawn an organization from a gift card, once',
    description:
      `The id of the card is the proof. ${CLOSED} The answer holds the spawn code, which activates the ` +
      'organization at organization/redeem. Email and external_id become those of the organization. 412 ' +
      'only if the card was changed again and again meanwhile.',
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
  @ApiData(GiftcardRecord)
  @Operation({
    summary: 'Read a gift card',
    description: ADMIN,
    errors: ['permission.denied', 'giftcard.not-found'],
  })
  get(
    @Call() call: DriveRequest,
    @Param('giftcard_id', new IdPipe('GiftcardSpawnOrgID_')) id: string,
  ) {
    return this.api.ask(call, GetGiftcard, { id });
  }

  @Post('list')
  @ApiRead()
  @KeyRequired()
  @ApiData({ list: GiftcardRecord })
  @Operation({
    summary: 'List gift cards',
    description: `${ADMIN} \`filters\` looks into notes. ${PAGES}`,
    errors: ['permission.denied'],
  })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.ask(call, ListGiftcards, body);
  }

  @Post('update')
  @KeyRequired()
  @ApiData(GiftcardRecord)
  @Operation({
    summary: 'Change a gift card',
    description: `${ADMIN} A disk given takes the place of the old one as a whole, null removes it.`,
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
    return this.api.run(call, UpdateGiftcard, { ...cleared(body, 'note'), ...bundled });
  }

  @Post('delete')
  @KeyRequired()
  @ApiData(DeletedRecord)
  @Operation({
    summary: 'Delete a gift card',
    description: `${ADMIN} An organization that it spawned stays.`,
    errors: ['permission.denied', 'giftcard.not-found'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteGiftcardBody) {
    return this.api.run(call, DeleteGiftcard, body);
  }
}
