import { Body, Controller, Get, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateWebhook,
  DeleteWebhook,
  GetWebhook,
  ListWebhooks,
  UpdateWebhook,
} from '../../../libs/application/webhooks/webhooks.js';
import {
  ListWebhookDeliveries,
  ReplayWebhook,
} from '../../../libs/application/webhooks/deliveries.js';
import { TestWebhook } from '../../../libs/application/webhooks/test-webhook.js';
import { cleared } from '../cleared.js';
import { AsOf } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest, isDryRun } from '../drive/drive-request.js';
import { operation } from '../drive/operation.js';
import { ApiError } from '../platform/errors.js';
import { ListBody } from '../platform/requests/fields.js';
import { ApiData, ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
import { PAGES } from '../phrases.js';
import type { Settings } from '../platform/settings/settings.js';
import { IdPipe } from '../platform/requests/validation.js';
import { DeletedRecord } from '../records/deleted.js';
import { guardError } from '../refusals.js';
import { mayBePublic } from './public-address.js';
import {
  CreateWebhookBody,
  DeleteWebhookBody,
  ReplayWebhookBody,
  TestWebhookBody,
  UpdateWebhookBody,
  WebhookDeliveriesBody,
} from './webhook-bodies.js';
import {
  DeliveryAttemptRecord,
  ReplayedWebhookRecord,
  WebhookRecord,
  WebhookTestRecord,
} from './webhook-record.js';

const createWebhook = operation(
  'webhooks/create',
  CreateWebhookBody,
  CreateWebhook,
  (body, settings) => {
    refusePrivate(body.url, settings);
    return body;
  },
);
const updateWebhook = operation(
  'webhooks/update',
  UpdateWebhookBody,
  UpdateWebhook,
  (body, settings) => {
    refusePrivate(body.url, settings);
    return cleared(body, 'signature', 'description', 'note', 'filters');
  },
);
const deleteWebhook = operation('webhooks/delete', DeleteWebhookBody, DeleteWebhook);

@ApiTags('webhooks')
@Controller('v1/drive/:organization_id/webhooks')
@UseGuards(DriveGuard)
export class WebhooksController {
  constructor(@Inject(DriveApi) private readonly api: DriveApi) {}

  @Get('get/:webhook_id')
  @AsOf()
  @ApiData(WebhookRecord)
  @Operation({ summary: 'Read a webhook', errors: ['permission.denied', 'webhook.not-found'] })
  get(@Call() call: DriveRequest, @Param('webhook_id', new IdPipe('WebhookID_')) id: string) {
    return this.api.ask(call, GetWebhook, { id });
  }

  @Post('list')
  @AsOf()
  @ApiData({ list: WebhookRecord })
  @Operation({ summary: 'List webhooks', description: PAGES })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.ask(call, ListWebhooks, body);
  }

  @Post('create')
  @ApiData(WebhookRecord)
  @Operation({
    summary: 'Have events sent to an address',
    description:
      'Needs the right to see what is watched: VIEW on the item (for sub… events one that reaches into ' +
      'the folder), the group or the label, else VIEW on AUDIT. The caller becomes the maker: of each event ' +
      'only that is delivered which the maker could see at that event. Without the right the webhook is paused ' +
      '(`paused_reason`), what happens meanwhile is not delivered, and it goes on when the right is back. ' +
      'Deliveries begin with the next event and ' +
      'are signed as in Standard Webhooks under the secret, shown in this answer only. Without `filters` ' +
      'an inbox webhook gets every notice; with them those of their `topic` only. sub… events reach up to 20 ' +
      'folders above an item, but not beyond what is sovereign. Labels that a file or folder is stored with count as pinned. Of a folder that is copied, moved or deleted ' +
      'the folder alone is told, not each thing in it. Payloads hold what everybody sees of a record. An organization has at most 1000 webhooks.',
    errors: ['permission.denied', 'request.id-in-use', 'webhook.too-many'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateWebhookBody) {
    return this.api.run(call, createWebhook, body);
  }

  @Post('update')
  @ApiData(WebhookRecord)
  @Operation({
    summary: 'Change a webhook, or rotate its secret',
    description:
      'Another address, on or off, and `take_over` also need the right to see what is watched. `take_over` makes ' +
      'the caller the maker, also of a paused webhook; nothing else does. After a rotation ' +
      'deliveries carry signatures under the new secret and the one before; the next rotation ends that one.',
    errors: ['permission.denied', 'webhook.not-found', 'request.nothing-to-update'],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdateWebhookBody) {
    return this.api.run(call, updateWebhook, body);
  }

  @Post('deliveries')
  @ApiRead()
  @ApiData({ list: DeliveryAttemptRecord })
  @Operation({
    summary: 'What became of the deliveries of a webhook',
    description:
      'Every attempt of the last 30 days, oldest first, at most the newest 100,000. A delivery that fails is ' +
      'tried again for 24 h, waiting longer each time, and holds back what comes after it; then it is ' +
      'quarantined and the next one is sent.',
    errors: ['permission.denied', 'webhook.not-found'],
  })
  deliveries(@Call() call: DriveRequest, @Body() body: WebhookDeliveriesBody) {
    return this.api.ask(call, ListWebhookDeliveries, body);
  }

  @Post('replay')
  @ApiData(ReplayedWebhookRecord)
  @Operation({
    summary: 'Send again what a webhook was told, or would have been',
    description:
      'Goes through the events of a range of at most 10,000 revisions, also older ones than the webhook, ' +
      'and queues their deliveries with its current settings, limited to what its maker could see at each of ' +
      'them; the present owner may see all. A paused webhook is sent nothing. Each comes with the same webhook-id as ' +
      'the first time. It is on record as an event of the webhook, so an Idempotency-Key keeps a repeated ' +
      'request from sending twice. Looking at items (viewed, shared) is no event and cannot be sent again.',
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
  @ApiData(WebhookTestRecord)
  @Operation({
    summary: 'Send an example to a webhook now',
    description:
      'Needs EDIT. Sends one made-up delivery of the webhook’s event, signed like all others: `notes` marks it ' +
      'as a test, `nonce` is 0, and the payload holds no record of the organization. It is sent once, also to a ' +
      'webhook that is switched off (not to a paused one), past what waits in the queue, and answered when the ' +
      'receiver has answered or WEBHOOK_TIMEOUT_MS are over. It stores nothing: it is no event, it is not ' +
      'among the `deliveries`, it may not stand in a transaction, and it takes no `Dry-Run`. At most ' +
      '4 tests of an organization are under way at one time; more answer 503 `drive.overloaded`.',
    errors: ['permission.denied', 'webhook.not-found', 'webhook.paused'],
  })
  test(@Call() call: DriveRequest, @Body() body: TestWebhookBody) {
    if (isDryRun(call.reply.request))
      throw guardError('request.invalid-header', 'webhooks/test does not take the header Dry-Run.');
    return this.api.ask(call, TestWebhook, body);
  }

  @Post('delete')
  @ApiData(DeletedRecord)
  @Operation({
    summary: 'Delete a webhook',
    description: 'What waits to be delivered to it is dropped.',
    errors: ['permission.denied', 'webhook.not-found'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteWebhookBody) {
    return this.api.run(call, deleteWebhook, body);
  }
}

/** Names are looked up at every attempt; what the URL itself tells need not wait so long. */
function refusePrivate(url: string | undefined, { production }: Settings): void {
  if (!production || url === undefined || mayBePublic(url)) return;
  const reason = 'must not lead to a private address';
  throw ApiError.of('request.invalid', {
    message: `url ${reason}.`,
    details: [{ pointer: '/url', reason }],
  });
}
