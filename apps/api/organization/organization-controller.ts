import { Body, Get, Post } from '@nestjs/common';
import { driveCommand } from '../../../libs/application/drive-command.js';
import {
  GetAbout,
  GetWhoAmI,
  RedeemOrganization,
  ResolveExternalIds,
  ResolveShortlink,
} from '../../../libs/application/organization/organization.js';
import { aboutView, shortlinkView, whoAmIView } from '../../../libs/domain/organization/reads.js';
import {
  activationView,
  inboxView,
  organizationCommands,
  successView,
  superswapView,
  transferView,
} from '../../../libs/domain/organization/commands.js';
import { externalIdsView } from '../../../libs/domain/organization/external-ids.js';
import { AsOf, ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { Token, Unlimited } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { CommandRoute } from '../drive/command-routes.js';
import { ApiError } from '../platform/errors.js';
import { guardError } from '../refusals.js';
import { ApiNoToken, ApiReadOrCommand } from '../platform/openapi/openapi-decorators.js';
import { DriveController } from '../drive/drive-controller.js';
import {
  ExternalIdsBody,
  InboxBody,
  RedeemOrganizationBody,
  ShortlinkBody,
  SuperswapUserBody,
  TransferOwnershipBody,
  UpdateAllowedDomainsBody,
} from './organization-bodies.js';

const transferOwnership = driveCommand(organizationCommands.TransferOwnership);
const updateAllowedDomains = driveCommand(organizationCommands.UpdateAllowedDomains);
const superswapUser = driveCommand(organizationCommands.SuperswapUser);
const notifyInbox = driveCommand(organizationCommands.NotifyInbox);
const createShortlink = driveCommand(organizationCommands.CreateShortlink);
const removeShortlink = driveCommand(organizationCommands.RemoveShortlink);

@DriveController('organization')
export class OrganizationController {
  constructor(private readonly api: DriveApi) {}

  @ReadRoute(Get('about'), aboutView, {
    id: 'getOrganization',
    summary: 'Describe the organization',
    description: 'For callers without VIEW on DRIVES, name, owner and email are redacted.',
  })
  about(@Call() call: DriveRequest) {
    return this.api.query(call, GetAbout, {});
  }

  @ReadRoute(Get('whoami'), whoAmIView, {
    id: 'getCaller',
    summary: 'Describe the caller in this organization',
  })
  whoAmI(@Call() call: DriveRequest) {
    return this.api.query(call, GetWhoAmI, {});
  }

  @CommandRoute('transfer_ownership', transferView, {
    id: 'transferOwnership',
    summary: 'Transfer the ownership of the organization in two steps',
    description:
      'The first call starts a waiting period. The same call after that period completes the transfer. A ' +
      'pending transfer expires 7 days after the end of its waiting period.',
    errors: [
      'permission.denied',
      'transfer.already-owner',
      'transfer.none-pending',
      'user.former-id',
    ],
  })
  transferOwnership(@Call() call: DriveRequest, @Body() body: TransferOwnershipBody) {
    return this.api.run(call, transferOwnership, body);
  }

  @CommandRoute('update_allowed_domains', successView, {
    id: 'updateAllowedDomains',
    summary: 'Set the allowed domains',
    description: 'The domains are host names with an optional leading `*.`. Not rate-limited.',
    errors: ['permission.denied'],
  })
  @Unlimited()
  updateAllowedDomains(@Call() call: DriveRequest, @Body() body: UpdateAllowedDomainsBody) {
    return this.api.run(call, updateAllowedDomains, body);
  }

  @CommandRoute(['superswap_user', 'superswap'], superswapView, {
    id: 'replaceUser',
    aliases: { superswap: 'superswapUser' },
    summary: 'Replace a user id everywhere in the organization',
    description:
      'Owner only. The replacement is one event. API keys keep their values and act as the new id.',
    errors: [
      'permission.denied',
      'request.same-user',
      'superswap.not-found',
      'user.in-use',
      'user.former-id',
    ],
  })
  superswapUser(@Call() call: DriveRequest, @Body() body: SuperswapUserBody) {
    return this.api.run(call, superswapUser, body);
  }

  @CommandRoute(
    'redeem',
    activationView,
    {
      id: 'redeemOrganization',
      summary: 'Activate a new organization with its spawn code',
      description: 'The redeem code in the body authorizes the call. It can be used once.',
      errors: ['redeem.code-invalid'],
    },
    'Success; the key is shown only here',
  )
  @Token('ignored')
  @ApiNoToken()
  redeem(@Call() call: DriveRequest, @Body() body: RedeemOrganizationBody) {
    return this.api.run(call, RedeemOrganization, body);
  }

  @ReadRoute(Post('external_id'), externalIdsView, {
    id: 'findExternalIds',
    summary: 'Find records by external id',
    description:
      'Several records may share one external id. Records that the caller may not VIEW are omitted. Refused if ' +
      'more than 10,000 records have the external ids.',
  })
  externalIds(@Call() call: DriveRequest, @Body() body: ExternalIdsBody) {
    return this.api.query(call, ResolveExternalIds, body);
  }

  @CommandRoute('inbox', inboxView, {
    id: 'sendNotice',
    summary: 'Send a notice to the inbox',
    description: 'Requires owner, or CREATE on INBOX. The payload may have at most 64 KiB as JSON.',
    errors: ['permission.denied'],
  })
  inbox(@Call() call: DriveRequest, @Body() body: InboxBody) {
    return this.api.run(call, notifyInbox, body);
  }

  /** `original_url` alone creates a link; `slug` alone follows one and needs no token; both together delete it. */
  @CommandRoute('shortlink', shortlinkView, {
    id: 'resolveShortlink',
    summary: 'Create, follow or delete a short link',
    description:
      'With original_url only, creates a link; the caller must be a contact. With slug only, follows a link; ' +
      'no token is needed. With both, deletes the link; requires its creator, owner, or EDIT on DRIVES.',
    errors: ['permission.denied', 'shortlink.not-found'],
  })
  @ApiReadOrCommand()
  @AsOf()
  @Token('optional')
  shortlink(@Call() call: DriveRequest, @Body() body: ShortlinkBody) {
    const { slug, original_url } = body;
    if (slug !== undefined)
      return original_url === undefined
        ? this.api.query(call, ResolveShortlink, { slug })
        : this.api.run(call, removeShortlink, { slug });
    if (original_url !== undefined) return this.api.run(call, createShortlink, { original_url });
    if (call.past) throw guardError('request.no-past');
    throw ApiError.invalid([{ pointer: '', reason: 'must contain slug, original_url or both' }]);
  }
}
