import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Provided } from '../providers.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { webhookToTest } from '../../domain/webhooks/commands.js';
import { isRefused, type Outcome } from '../../engine/writer/call.js';
import { Drives } from '../../engine/drives/drives.js';
import type { Tested } from '../../engine/webhooks/webhook-tests.js';
import { Webhooks } from '../../engine/webhooks/webhooks.js';
import { DriveQuery } from '../drive-query.js';
import { answerNow } from '../read-record.js';

/** Sends an example to a webhook immediately. It is a query, since it appends no events. */
export class TestWebhook extends DriveQuery<{ readonly id: string }, Tested> {}

@Provided
@QueryHandler(TestWebhook)
export class TestWebhookHandler implements IQueryHandler<TestWebhook> {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Webhooks) private readonly webhooks: Webhooks,
  ) {}

  async execute({ reader, input: { id } }: TestWebhook): Promise<Outcome<Tested>> {
    const begun = await answerNow(this.drives, reader, (context, drive) => {
      const webhook = webhookToTest(context, id);
      // Wrapped in an object so that the drive is released before the receiver answers.
      return isRefusal(webhook) ? webhook : { sending: this.webhooks.test(drive, webhook) };
    });
    if (isRefused(begun)) return begun;
    return { ...begun, data: await begun.data.sending };
  }
}
