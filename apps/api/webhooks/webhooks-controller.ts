import { Body, Get, Inject, Param, Post } from '@nestjs/common';
import { webhookReads, webhookView } from '../../../libs/domain/webhooks/reads.js';
import { getQuery, listQuery } from '../../../libs/application/drive-query.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import { webhookCommands } from '../../../libs/domain/webhooks/commands.js';
import {
  deliveryAttemptView,
  ListWebhookDeliveries,
  ReplayWebhook,
  replayWebhookView,
} from '../../../libs/application/webhooks/deliveries.js';
import { TestWebhook } from '../../../libs/application/webhooks/test-webhook.js';
import { deletedView } from '../../../libs/domain/foundation/record-answers.js';
import { testedView } from '../../../libs/engine/webhooks/webhook-tests.js';
import { ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest, isDryRun } from '../drive/drive-request.js';
import { CommandRoute } from '../drive/command-routes.js';
import { ApiError } from '../platform/errors.js';
import { ListBody } from '../platform/requests/fields.js';
import { ApiData, ApiRead, Operation, page } from '../platform/openapi/openapi-decorators.js';
import { PAGES } from '../phrases.js';
import { Settings } from '../platform/settings/settings.js';
import { IdPipe } from '../platform/requests/validation.js';
import { invalidHeader } from '../refusals.js';
import { mayBePublic } from '../outgoing/public-address.js';
import { DriveController } from '../drive/drive-controller.js';
import {
  CreateWebhookBody,
  DeleteWebhookBody,
  ReplayWebhookBody,
  TestWebhookBody,
  UpdateWebhookBody,
  WebhookDeliveriesBody,
} from './webhook-bodies.js';

const getWebhook = getQuery('GetWebhook', webhookReads);
const listWebhooks = listQuery('ListWebhooks', webhookReads);

const createWebhook = driveCommand(webhookCommands.CreateWebhook);
const updateWebhook = driveCommand(webhookCommands.UpdateWebhook);
const deleteWebhook = driveCommand(webhookCommands.DeleteWebhook);

@DriveController('webhooks')
export class WebhooksController {
  constructor(
    @Inject(DriveApi) private readonly api: DriveApi,
    @Inject(Settings) private readonly settings: Settings,
  ) {}

  @ReadRoute(Get('get/:webhook_id'), webhookView, {
    id: 'getWebhook',
    summary: 'Read a webhook',
    errors: ['permission.denied', 'webhook.not-found'],
  })
  get(@Call() call: DriveRequest, @Param('webhook_id', new IdPipe('WebhookID_')) id: string) {
    return this.api.query(call, getWebhook, { id });
  }

  @ReadRoute(Post('list'), page(webhookView), {
    id: 'listWebhooks',
    summary: 'List webhooks',
    description: PAGES,
  })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.query(call, listWebhooks, body);
  }

  @CommandRoute('create', webhookView, {
    id: 'createWebhook',
    summary: 'Create a webhook, which sends events to a URL',
    description:
      'Requires permission to see the watched object: VIEW on the item (for sub… events an inheritable one on ' +
      'the folder), the group or the label, otherwise VIEW on AUDIT. The caller becomes the creator: the ' +
      'webhook sends only events that the creator may see at the time of the event. If the creator loses the ' +
      'permission, the webhook is paused (`paused_reason`) and resumes when the permission is restored; ' +
      'events in between are not sent.\n\n' +
      'Deliveries start with the next event. They are signed according to Standard Webhooks with the secret, ' +
      'which only this response contains. An inbox webhook sends every notice, or with `filters` those of one ' +
      '`topic`. sub… events cover up to 20 folders above an item, but end at a folder with sovereign ' +
      'permissions. Labels with which a file or folder is created count as pinned. If a folder is copied, ' +
      'moved, deleted or restored, only the folder is reported, not its contents. Payloads contain only the fields that ' +
      'every reader of the record may see. An organization can have at most 1000 webhooks.',
    errors: ['permission.denied', 'request.id-in-use', 'webhook.too-many'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateWebhookBody) {
    refusePrivate(body.url, this.settings);
    return this.api.run(call, createWebhook, body);
  }

  @CommandRoute('update', webhookView, {
    id: 'updateWebhook',
    summary: 'Update a webhook, or rotate its secret',
    description:
      'Changing `url` or `active` and `take_over` also require permission to see the watched object. Only ' +
      '`take_over` makes the caller the creator, also of a paused webhook. After a rotation, deliveries are ' +
      'signed with the new and the previous secret, until the next rotation.',
    errors: ['permission.denied', 'webhook.not-found', 'request.nothing-to-update'],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdateWebhookBody) {
    refusePrivate(body.url, this.settings);
    return this.api.run(call, updateWebhook, body);
  }

  @Post('deliveries')
  @ApiRead()
  @ApiData(page(deliveryAttemptView))
  @Operation({
    id: 'listWebhookDeliveries',
    summary: 'List the delivery attempts of a webhook',
    description:
      'Lists the attempts of the last 30 days, oldest first, at most the newest 100,000. A failed delivery is ' +
      'retried for 24 hours with increasing delays and blocks later deliveries meanwhile. Then it is ' +
      'quarantined, and the next delivery is sent.',
    errors: ['permission.denied', 'webhook.not-found'],
  })
  deliveries(@Call() call: DriveRequest, @Body() body: WebhookDeliveriesBody) {
    return this.api.query(call, ListWebhookDeliveries, body);
  }

  @Post('replay')
  @ApiData(replayWebhookView)
  @Operation({
    id: 'replayWebhook',
    summary: 'Send past events to a webhook again',
    description:
      'Queues deliveries for a range of at most 10,000 revisions, which may be older than the webhook. The ' +
      "webhook's current settings apply, and only events that its creator could see at the time are sent; the " +
      'current owner may see all. A paused webhook sends nothing. Each delivery has the same webhook-id as the ' +
      'first time. The replay is stored as an event, so an Idempotency-Key prevents a repeated request from ' +
      'sending twice. Notices of `viewed` and `shared` are not events and cannot be sent again.',
    errors: [
      'permission.denied',
      'webhook.not-found',
      'webhook.inactive',
      'webhook.paused',
      'point.out-of-range',
    ],
  })
  replay(@Call() call: DriveRequest, @Body() body: ReplayWebhookBody) {
    return this.api.run(call, ReplayWebhook, body);
  }

  @Post('test')
  @ApiRead()
  @ApiData(testedView)
  @Operation({
    id: 'testWebhook',
    summary: 'Send a test delivery to a webhook',
    description:
      'Requires EDIT. Sends one example delivery of the webhook’s event, signed like all others. `notes` marks ' +
      'it as a test, `nonce` is 0, and the payload contains no record of the organization. The delivery is sent ' +
      'once and bypasses the queue, also to an inactive webhook, but not to a paused one. The response follows ' +
      'when the receiver responds or after WEBHOOK_TIMEOUT_MS. Nothing is stored: the test is not listed in ' +
      '`deliveries`, and is not allowed in a transaction or with `Dry-Run`. At most 4 tests per organization ' +
      'run at the same time; further requests are 503 `drive.overloaded`.',
    errors: ['permission.denied', 'webhook.not-found', 'webhook.paused'],
  })
  test(@Call() call: DriveRequest, @Body() body: TestWebhookBody) {
    if (isDryRun(call.reply.request))
      throw invalidHeader('webhooks/test does not support the header Dry-Run.');
    return this.api.query(call, TestWebhook, body);
  }

  @CommandRoute('delete', deletedView, {
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Its unsent deliveries are discarded.',
    errors: ['permission.denied', 'webhook.not-found'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteWebhookBody) {
    return this.api.run(call, deleteWebhook, body);
  }
}

/** Refuses URLs whose host is a private address. Host names are resolved at every attempt. */
function refusePrivate(url: string | undefined, { production }: Settings): void {
  if (!production || url === undefined || mayBePublic(url)) return;
  throw ApiError.invalid([{ pointer: '/url', reason: 'must not have a private address as host' }]);
}
