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
import { ApiData, ApiErrors, ApiRead } from '../platform/openapi/openapi-decorators.js';
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
  @ApiErrors('permission.denied', 'webhook.not-found')
  get(@Call() call: DriveRequest, @Param('webhook_id', new IdPipe('WebhookID_')) id: string) {
    return this.api.ask(call, GetWebhook, { id });
  }

  @Post('list')
  @AsOf()
  @ApiData({ list: WebhookRecord })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.ask(call, ListWebhooks, body);
  }

  @Post('create')
  @ApiData(WebhookRecord)
  @ApiErrors('permission.denied', 'request.id-in-use', 'webhook.too-many')
  create(@Call() call: DriveRequest, @Body() body: CreateWebhookBody) {
    return this.api.run(call, createWebhook, body);
  }

  @Post('update')
  @ApiData(WebhookRecord)
  @ApiErrors('permission.denied', 'webhook.not-found', 'request.nothing-to-update')
  update(@Call() call: DriveRequest, @Body() body: UpdateWebhookBody) {
    return this.api.run(call, updateWebhook, body);
  }

  @Post('deliveries')
  @ApiRead()
  @ApiData({ list: DeliveryAttemptRecord })
  @ApiErrors('permission.denied', 'webhook.not-found')
  deliveries(@Call() call: DriveRequest, @Body() body: WebhookDeliveriesBody) {
    return this.api.ask(call, ListWebhookDeliveries, body);
  }

  @Post('replay')
  @ApiData(ReplayedWebhookRecord)
  @ApiErrors(
    'permission.denied',
    'webhook.not-found',
    'webhook.inactive',
    'webhook.paused',
    'point.out-of-range',
  )
  replay(@Call() call: DriveRequest, @Body() body: ReplayWebhookBody) {
    return this.api.run(call, ReplayWebhook, body);
  }

  @Post('test')
  @ApiRead()
  @ApiData(WebhookTestRecord)
  @ApiErrors('permission.denied', 'webhook.not-found', 'webhook.paused')
  test(@Call() call: DriveRequest, @Body() body: TestWebhookBody) {
    if (isDryRun(call.reply.request))
      throw guardError('request.invalid-header', 'webhooks/test does not take the header Dry-Run.');
    return this.api.ask(call, TestWebhook, body);
  }

  @Post('delete')
  @ApiData(DeletedRecord)
  @ApiErrors('permission.denied', 'webhook.not-found')
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
