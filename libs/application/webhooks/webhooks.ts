import type { Deleted } from '../../domain/foundation/deleted.js';
import { WEBHOOK_ID } from '../../domain/webhooks/record.js';
import type {
  CreateWebhook as CreateWebhookCommand,
  UpdateWebhook as UpdateWebhookCommand,
} from '../../domain/webhooks/commands.js';
import { webhookCommands } from '../../domain/webhooks/definitions.js';
import { webhookReads } from '../../domain/webhooks/reads.js';
import type { WebhookView } from '../../domain/webhooks/view.js';
import { DriveCommand, driveCommandHandler } from '../drive-command.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { fresh } from '../fresh.js';
import { type ListInput, type ListPage, listRecords } from '../list-records.js';
import { readRecord } from '../read-record.js';

type CommandInput<Command> = Omit<Command, 'fresh'>;

export class CreateWebhook extends DriveCommand<CommandInput<CreateWebhookCommand>, WebhookView> {}
export class UpdateWebhook extends DriveCommand<CommandInput<UpdateWebhookCommand>, WebhookView> {}
export class DeleteWebhook extends DriveCommand<{ id: string }, Deleted> {}

export class GetWebhook extends DriveQuery<{ id: string }, WebhookView> {}
export class ListWebhooks extends DriveQuery<ListInput, ListPage<WebhookView>> {}

export const webhookHandlers = [
  driveCommandHandler(CreateWebhook, webhookCommands.CreateWebhook, (input) => ({
    ...input,
    fresh: { webhook_id: fresh.id(WEBHOOK_ID), secret: fresh.webhookSecret() },
  })),
  driveCommandHandler(UpdateWebhook, webhookCommands.UpdateWebhook, (input) => ({
    ...input,
    fresh: { secret: fresh.webhookSecret() },
  })),
  driveCommandHandler(DeleteWebhook, webhookCommands.DeleteWebhook, (input) => input),
  driveQueryHandler(GetWebhook, (drives, reader, { id }) =>
    readRecord(drives, webhookReads, reader, id),
  ),
  driveQueryHandler(ListWebhooks, (drives, reader, input) =>
    listRecords(drives, webhookReads, reader, input),
  ),
];
