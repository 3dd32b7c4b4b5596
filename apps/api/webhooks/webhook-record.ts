import { SYSTEM_TYPES, type SystemType } from '../../../libs/domain/kernel/permission-types.js';
import type { PausedReason } from '../../../libs/domain/webhooks/occurring/makers.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../libs/domain/webhooks/record.js';
import type { WebhookView } from '../../../libs/domain/webhooks/view.js';
import type {
  DeliveryAttemptView,
  ReplayWebhookAnswer,
} from '../../../libs/application/webhooks/deliveries.js';
import type { Tested } from '../../../libs/engine/webhooks/webhook-tests.js';
import {
  ShownFlag,
  ShownInteger,
  ShownIntegerOrNull,
  ShownOneOf,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

const OUTCOMES = ['delivered', 'failed', 'quarantined'] as const;

export class DeliveryAttemptRecord implements DeliveryAttemptView {
  @ShownText({ description: 'The header webhook-id; the same on every attempt' })
  delivery_id!: string;
  @ShownText({ example: 'file.created' }) event!: string;
  @ShownIntegerOrNull({ description: 'Of the event that caused it; null if none did' })
  revision!: number | null;
  @ShownIntegerOrNull({ description: 'Null for what found the queue full' }) nonce!: number | null;
  @ShownInteger({ description: 'Counts from 1; 0 for what was never tried' }) attempt!: number;
  @ShownInteger() timestamp_ms!: number;
  @ShownIntegerOrNull({ description: 'HTTP status; null if there was no answer' })
  status!: number | null;
  @ShownInteger() latency_ms!: number;
  @ShownOneOf(OUTCOMES, { description: 'failed: will be tried again; quarantined: given up' })
  outcome!: (typeof OUTCOMES)[number];
  @ShownTextOrNull({ description: 'What went wrong, where it was not the status' })
  reason!: string | null;
}

export class ReplayedWebhookRecord implements ReplayWebhookAnswer {
  @ShownText() id!: string;
  @ShownInteger() from_revision!: number;
  @ShownInteger() to_revision!: number;
  @ShownInteger({ description: 'Deliveries put in the queue' }) queued!: number;
}

export class WebhookTestRecord implements Tested {
  @ShownIntegerOrNull({ description: 'HTTP status; null if there was no answer' })
  status!: number | null;
  @ShownInteger() latency_ms!: number;
  @ShownTextOrNull({ description: 'Why there was no answer; null if there was one' })
  error!: string | null;
}

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
  @ShownText({
    description:
      'Whose rights decide what is delivered; the owner for webhooks without a known maker',
    example: 'UserID_…',
  })
  created_by!: string;
  @ShownTextOrNull({
    description:
      'Why nothing is delivered although the webhook is active: MAKER_DELETED (the maker’s contact was ' +
      'deleted) or MAKER_LACKS_RIGHT (the maker may not see what it watches). Null when the right is back',
  })
  paused_reason!: PausedReason | null;
  @ShownText({ description: 'JSON of an object, or empty' }) filters!: string;
  @ShownTexts() labels!: string[];
  @ShownTextOrNull() external_id!: string | null;
  @ShownTextOrNull() external_payload!: string | null;
  @ShownInteger() created_at!: number;
  @ShownWords(SYSTEM_TYPES) permission_previews!: readonly SystemType[];
}
