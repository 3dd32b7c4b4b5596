import { Body, Controller, Get, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateWebhook,
  DeleteWebhook,
  GetWebhook,
  ListWebhooks,
  UpdateWebhook,
} from '../../../libs/application/webhooks/webhooks.js';
import { cleared } from '../cleared.js';
import { AsOf } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ListBody } from '../platform/fields.js';
import { ApiData, ApiErrors } from '../platform/openapi-decorators.js';
import { IdPipe } from '../platform/validation.js';
import { DeletedRecord } from '../records/deleted.js';
import { CreateWebhookBody, DeleteWebhookBody, UpdateWebhookBody } from './webhook-bodies.js';
import { WebhookRecord } from './webhook-record.js';

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
  @ApiErrors('permission.denied', 'request.id-in-use')
  create(@Call() call: DriveRequest, @Body() body: CreateWebhookBody) {
    return this.api.run(call, CreateWebhook, body);
  }

  @Post('update')
  @ApiData(WebhookRecord)
  @ApiErrors('permission.denied', 'webhook.not-found', 'request.nothing-to-update')
  update(@Call() call: DriveRequest, @Body() body: UpdateWebhookBody) {
    const fields = cleared(body, 'signature', 'description', 'note', 'filters');
    return this.api.run(call, UpdateWebhook, fields);
  }

  @Post('delete')
  @ApiData(DeletedRecord)
  @ApiErrors('permission.denied', 'webhook.not-found')
  delete(@Call() call: DriveRequest, @Body() body: DeleteWebhookBody) {
    return this.api.run(call, DeleteWebhook, body);
  }
}
