import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../libs/domain/webhooks/record.js';
import { Flag, Id, Integer, OneOf, PageBody, Text, Url } from '../platform/requests/fields.js';

export class CreateWebhookBody {
  @Id('WebhookID_') id?: string;
  @Text({
    min: 1,
    max: 256,
    required: true,
    description:
      'The watched object, depending on the event: an item, group or label id, ALL_FILES, ALL_FOLDERS, ' +
      'RESTORE_TRASH, STATE_DIFFS, SUPERSWAP_USER, INBOX_NEW_MAIL, or an inbox topic. ALL is stored as ' +
      'ALL_FILES, ALL_FOLDERS or, for drive.restore_trash, RESTORE_TRASH. A stored content updates its file',
    example: 'INBOX_NEW_MAIL',
  })
  alt_index!: string;
  @Url({
    max: 4096,
    http_only: true,
    not_empty: true,
    required: true,
    example: 'https://example.com/hook',
  })
  url!: string;
  @OneOf(WEBHOOK_EVENTS, { required: true, example: 'org.inbox.new_mail' }) event!: WebhookEvent;
  @Text({ max: 256, description: 'Default: `<event>@<alt_index>`' }) name?: string;
  @Text({
    max: 256,
    pattern: /^[\t\x20-\x7e]*$/,
    pattern_text: 'printable ASCII',
    description: 'Sent as the header `signature`',
  })
  signature?: string;
  @Text({ max: 8192 }) description?: string;
  @Text({ max: 8192 }) note?: string;
  @Flag({ description: 'Default: true' }) active?: boolean;
  @Text({
    max: 256,
    description: 'JSON object as text; `topic` limits an inbox webhook to one topic',
  })
  filters?: string;
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
}

export class UpdateWebhookBody {
  @Id('WebhookID_', { required: true }) id!: string;
  @Text({ min: 1, max: 256, null: 'keeps' }) name?: string;
  @Url({ max: 4096, http_only: true, not_empty: true, null: 'keeps' }) url?: string;
  @Text({ max: 256, pattern: /^[\t\x20-\x7e]*$/, pattern_text: 'printable ASCII', null: 'clears' })
  signature?: string | null;
  @Text({ max: 8192, null: 'clears' }) description?: string | null;
  @Text({ max: 8192, null: 'clears' }) note?: string | null;
  @Flag({ null: 'keeps' }) active?: boolean;
  @Text({ max: 256, null: 'clears' }) filters?: string | null;
  @Flag({ null: 'keeps', description: 'True generates a new secret, which is shown only once' })
  rotate_secret?: boolean;
  @Flag({
    null: 'keeps',
    description: 'True makes the caller the creator, whose permissions limit the deliveries',
  })
  take_over?: boolean;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class WebhookDeliveriesBody extends PageBody {
  @Id('WebhookID_', { required: true }) id!: string;
}

export class ReplayWebhookBody {
  @Id('WebhookID_', { required: true }) id!: string;
  @Integer({ min: 0, required: true, description: 'Revision of the first event' })
  from_revision!: number;
  @Integer({ min: 0, required: true, description: 'Revision of the last event' })
  to_revision!: number;
}

export class TestWebhookBody {
  @Id('WebhookID_', { required: true }) id!: string;
}

export class DeleteWebhookBody {
  @Id('WebhookID_', { required: true }) id!: string;
}
