import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateShortlink,
  GetAbout,
  GetWhoAmI,
  NotifyInbox,
  RedeemOrganization,
  RemoveShortlink,
  ResolveExternalIds,
  ResolveShortlink,
  SuperswapUser,
  TransferOwnership,
  UpdateAllowedDomains,
} from '../../../libs/application/organization/organization.js';
import type { ShortlinkView } from '../../../libs/domain/organization/view.js';
import { AsOf } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveGuard, Token, Unlimited } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { operation, operationByCode, operationOf, told } from '../drive/operation.js';
import { ApiError } from '../platform/errors.js';
import {
  ApiCommandToo,
  ApiData,
  ApiErrors,
  ApiOpen,
} from '../platform/openapi/openapi-decorators.js';
import {
  ExternalIdsBody,
  InboxBody,
  RedeemOrganizationBody,
  ShortlinkBody,
  SuperswapUserBody,
  TransferOwnershipBody,
  UpdateAllowedDomainsBody,
} from './organization-bodies.js';
import {
  AboutRecord,
  ActivationRecord,
  ExternalIdsRecord,
  InboxRecord,
  ShortlinkRecord,
  SuccessRecord,
  SuperswapRecord,
  TransferRecord,
  WhoAmIRecord,
} from './organization-records.js';

const transferOwnership = operation(
  'organization/transfer_ownership',
  TransferOwnershipBody,
  TransferOwnership,
);
const updateAllowedDomains = operation(
  'organization/update_allowed_domains',
  UpdateAllowedDomainsBody,
  UpdateAllowedDomains,
);
const superswapUser = operation(
  ['organization/superswap_user', 'organization/superswap'],
  SuperswapUserBody,
  SuperswapUser,
);
const redeemOrganization = operationByCode(
  'organization/redeem',
  RedeemOrganizationBody,
  RedeemOrganization,
);
const notifyInbox = operation('organization/inbox', InboxBody, NotifyInbox);
const shortlink = operationOf<ShortlinkView, ShortlinkBody>(
  'organization/shortlink',
  ShortlinkBody,
  ({ slug, original_url }) => {
    if (slug !== undefined)
      return original_url === undefined ? null : told(RemoveShortlink, { slug });
    if (original_url !== undefined) return told(CreateShortlink, { original_url });
    throw ApiError.invalid([{ pointer: '', reason: 'must name slug, original_url or both' }]);
  },
);

@ApiTags('organization')
@Controller('v1/drive/:organization_id/organization')
@UseGuards(DriveGuard)
export class OrganizationController {
  constructor(private readonly api: DriveApi) {}

  @Get('about')
  @AsOf()
  @ApiData(AboutRecord)
  about(@Call() call: DriveRequest) {
    return this.api.ask(call, GetAbout, {});
  }

  @Get('whoami')
  @AsOf()
  @ApiData(WhoAmIRecord)
  whoAmI(@Call() call: DriveRequest) {
    return this.api.ask(call, GetWhoAmI, {});
  }

  /** Requests a transfer, and asked again after the waiting time completes it. */
  @Post('transfer_ownership')
  @ApiData(TransferRecord)
  @ApiErrors(
    'permission.denied',
    'transfer.already-owner',
    'transfer.none-pending',
    'user.former-id',
  )
  transferOwnership(@Call() call: DriveRequest, @Body() body: TransferOwnershipBody) {
    return this.api.run(call, transferOwnership, body);
  }

  @Post('update_allowed_domains')
  @Unlimited()
  @ApiData(SuccessRecord)
  @ApiErrors('permission.denied')
  updateAllowedDomains(@Call() call: DriveRequest, @Body() body: UpdateAllowedDomainsBody) {
    return this.api.run(call, updateAllowedDomains, body);
  }

  /** Puts one user id in another's place everywhere in the organization. */
  @Post(['superswap_user', 'superswap'])
  @ApiData(SuperswapRecord)
  @ApiErrors(
    'permission.denied',
    'request.same-user',
    'superswap.not-found',
    'user.in-use',
    'user.former-id',
  )
  superswapUser(@Call() call: DriveRequest, @Body() body: SuperswapUserBody) {
    return this.api.run(call, superswapUser, body);
  }

  /** Activates a fresh organization; the code in the body is the proof, tokens are not looked at. */
  @Post('redeem')
  @Token('ignored')
  @ApiOpen()
  @ApiData(ActivationRecord, 'The only time the key is shown')
  @ApiErrors('redeem.code-invalid')
  redeem(@Call() call: DriveRequest, @Body() body: RedeemOrganizationBody) {
    return this.api.run(call, redeemOrganization, body);
  }

  /** Finds records by the ids that other systems know them by. */
  @Post('external_id')
  @AsOf()
  @ApiData(ExternalIdsRecord)
  externalIds(@Call() call: DriveRequest, @Body() body: ExternalIdsBody) {
    return this.api.ask(call, ResolveExternalIds, body);
  }

  /** Takes something in from outside. It can be read in the organization's history. */
  @Post('inbox')
  @ApiData(InboxRecord)
  @ApiErrors('permission.denied')
  inbox(@Call() call: DriveRequest, @Body() body: InboxBody) {
    return this.api.run(call, notifyInbox, body);
  }

  /** `original_url` alone makes a link, `slug` alone follows one (without a token too), both remove it. */
  @Post('shortlink')
  @ApiCommandToo()
  @AsOf()
  @Token('optional')
  @ApiData(ShortlinkRecord)
  @ApiErrors('permission.denied', 'shortlink.not-found')
  shortlink(@Call() call: DriveRequest, @Body() body: ShortlinkBody) {
    const { slug, original_url } = body;
    if (slug !== undefined && original_url === undefined)
      return this.api.ask(call, ResolveShortlink, { slug });
    return this.api.run(call, shortlink, body);
  }
}
