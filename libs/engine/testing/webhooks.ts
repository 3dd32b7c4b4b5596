import { webhookCommands } from '../../domain/webhooks/commands.js';
import type { WebhookEvent } from '../../domain/webhooks/record.js';
import type { Attempt } from '../../event-store/stores.js';
import type { WebhookLimits } from '../webhooks/limits.js';
import type { WebhookRequest, WebhookResponse, WebhookSender } from '../webhooks/deliveries.js';
import { Webhooks } from '../webhooks/webhooks.js';
import { DRIVE_A, EngineSpec } from './engine.js';

const OK: WebhookResponse = { status: 200, reason: null };

/** Receivers by address that answer as they are told and remember what they got. */
export class Receivers implements WebhookSender {
  readonly got: WebhookRequest[] = [];
  /** What an address answers; without an entry, 200. */
  readonly answers = new Map<string, (nth: number) => Promise<WebhookResponse> | WebhookResponse>();

  async send(request: WebhookRequest): Promise<WebhookResponse> {
    this.got.push(request);
    const answer = this.answers.get(request.url);
    return answer ? answer(this.at(request.url).length) : OK;
  }

  /** Bodies that an address got, in order. */
  at(url: string): any[] {
    return this.got.filter((request) => request.url === url).map(({ body }) => JSON.parse(body));
  }

  fails(url: string, status: number | null = 500): void {
    const reason = status === null ? 'no answer' : null;
    this.answers.set(url, () => ({ status, reason }));
  }
}

/** The webhooks of a spec's process, with receivers instead of a network and without chance. */
export function webhooksOf(
  spec: EngineSpec,
  sender: WebhookSender,
  limits: Partial<WebhookLimits> = {},
): Webhooks {
  return new Webhooks({
    drives: spec.drives,
    sender,
    limits,
    random: () => 1,
    describe: ({ revision, type }) => ({ revision, type }),
    report: (what, drive_id, error) => spec.reports.push({ what, drive_id, error }),
  });
}

let hooks_made = 0;

/** Makes a webhook at an address; every one listens to all changes of state unless told otherwise. */
export async function hooked(
  spec: EngineSpec,
  url: string,
  more: { event?: WebhookEvent; alt_index?: string; signature?: string; drive_id?: string } = {},
): Promise<string> {
  const { drive_id, ...fields } = more;
  const nth = ++hooks_made;
  const webhook_id = `WebhookID_${nth}`;
  await spec.run(
    webhookCommands.CreateWebhook,
    {
      url,
      event: 'drive.state_diffs',
      alt_index: 'STATE_DIFFS',
      ...fields,
      fresh: { webhook_id, secret: `whsec_${nth}` },
    },
    drive_id ? { drive_id } : {},
  );
  return webhook_id;
}

/** A process with webhooks on stores in memory, and receivers that outlive it. */
export class WebhooksSpec {
  private constructor(
    public spec: EngineSpec,
    public webhooks: Webhooks,
    readonly receivers: Receivers,
  ) {}

  /** With one drive. */
  static async begin(): Promise<WebhooksSpec> {
    const spec = new EngineSpec();
    const receivers = new Receivers();
    const live = new WebhooksSpec(spec, webhooksOf(spec, receivers), receivers);
    await live.webhooks.start();
    await spec.spawn();
    return live;
  }

  /** A new process on the same stores; the old one is closed unless it crashed. */
  async restart({ crash = false } = {}): Promise<void> {
    if (!crash) await this.close();
    this.spec = this.spec.restarted();
    this.webhooks = webhooksOf(this.spec, this.receivers);
    await this.webhooks.start();
  }

  /** Moves the clock and sends what is due then. */
  async later(ms: number): Promise<void> {
    this.spec.now += ms;
    this.webhooks.wake();
    await this.webhooks.idle();
  }

  attempts(webhook_id: string): Promise<readonly Attempt[]> {
    const page = { direction: 'ASC', limit: 1000 } as const;
    return this.spec.side.jobs.attempts(DRIVE_A, webhook_id, page);
  }

  /** Revisions of the changes of state that an address was told of, in order. */
  revisionsAt(url: string): number[] {
    return this.receivers.at(url).map((body) => body.payload.after.data.revision as number);
  }

  async close(): Promise<void> {
    await this.webhooks.close();
    await this.spec.drives.close();
  }
}
