import { SYSTEM_TYPES, type SystemType } from '../../../libs/domain/permissions/record.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../libs/domain/webhooks/record.js';
import type { WebhookView } from '../../../libs/domain/webhooks/view.js';
import {
  ShownFlag,
  ShownInteger,
  ShownOneOf,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

export class WebhookRecord implements WebhookView {
  @ShownText({ example: 'WebhookID_3f0c…' }) id!: string;
  @ShownText({ example: 'org.inbox.new_mail@INBOX_NEW_MAIL' }) name!: string;
  @ShownText() url!: string;
  @ShownText({ description: 'What is watched' }) alt_index!: string;
  @ShownOneOf(WEBHOOK_EVENTS) event!: WebhookEvent;
  @ShownText({ description: 'Empty without EDIT' }) signature!: string;
  @ShownText({
    description: 'Signs deliveries; shown in the answers that make one, else empty',
    example: 'whsec_…',
  })
  secret!: string;
  @ShownText() description!: string;
  @ShownText() note!: string;
  @ShownFlag() active!: boolean;
  @ShownText({ description: 'JSON of an object, or empty' }) filters!: string;
  @ShownTexts() labels!: string[];
  @ShownTextOrNull() external_id!: string | null;
  @ShownTextOrNull() external_payload!: string | null;
  @ShownInteger() created_at!: number;
  @ShownWords(SYSTEM_TYPES) permission_previews!: readonly SystemType[];
}
