import { presentEvent } from '../../../libs/application/replay/event-record.js';
import type { Drives } from '../../../libs/engine/drives/drives.js';
import { Webhooks, type WebhooksOptions } from '../../../libs/engine/webhooks/webhooks.js';
import type { Settings } from '../platform/settings/settings.js';
import { VERSION } from '../version.js';
import { HttpSender } from './http-sender.js';

/** Time allowed for loading a drive and storing an attempt, beside the attempt itself. */
const CLAIM_SLACK_MS = 60_000;

/** Creates the webhooks of this process from the settings; call `start` to send deliveries. */
export function openWebhooks(
  settings: Settings,
  drives: Drives,
  { limits, report }: Pick<WebhooksOptions, 'limits' | 'report'>,
): Webhooks {
  const { production, webhook_timeout_ms, webhook_queue_max, webhook_parallel_max } = settings;
  return new Webhooks({
    drives,
    sender: new HttpSender({
      public_only: production,
      timeout_ms: webhook_timeout_ms,
      user_agent: `drive-workspace-service/${VERSION}`,
    }),
    describe: presentEvent,
    limits: {
      queue_max_count: webhook_queue_max,
      parallel_max: webhook_parallel_max,
      claim_ms: webhook_timeout_ms + CLAIM_SLACK_MS,
      ...limits,
    },
    ...(report && { report }),
  });
}
