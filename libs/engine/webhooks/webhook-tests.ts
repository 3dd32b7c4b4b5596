import { Unavailable } from '../writer/call.js';
import type { WebhookLimits } from './limits.js';
import type { WebhookRequest, WebhookSender } from './deliveries.js';
import { integer, nullable, type Shown, text, view } from '../../domain/kernel/view.js';

export const testedView = view('WebhookTest', {
  status: nullable(integer('HTTP status; null if there was no answer')),
  latency_ms: integer(),
  error: nullable(text('Why there was no answer; null if there was one')),
});
export type Tested = Shown<typeof testedView>;

type Limits = Pick<WebhookLimits, 'parallel_max' | 'tests_per_drive' | 'close_grace_ms'>;

/** Sends examples on request: one attempt each, outside the queues. The caller waits, so tests do not queue. */
export class WebhookTests {
  private readonly sending = new Set<Promise<Tested>>();
  private readonly of_drive = new Map<string, number>();
  private readonly ending = new AbortController();

  constructor(
    private readonly sender: WebhookSender,
    private readonly limits: Limits,
  ) {}

  /** @throws Unavailable `overloaded`, synchronously, at the limit of tests in progress; never rejects */
  send(drive_id: string, request: WebhookRequest): Promise<Tested> {
    const own = this.of_drive.get(drive_id) ?? 0;
    const { parallel_max, tests_per_drive } = this.limits;
    if (own >= tests_per_drive || this.sending.size >= parallel_max)
      throw new Unavailable('overloaded');
    this.of_drive.set(drive_id, own + 1);
    const sending = this.attempt(request).finally(() => {
      this.sending.delete(sending);
      const left = this.of_drive.get(drive_id)! - 1;
      if (left > 0) this.of_drive.set(drive_id, left);
      else this.of_drive.delete(drive_id);
    });
    this.sending.add(sending);
    return sending;
  }

  private async attempt(request: WebhookRequest): Promise<Tested> {
    const began = performance.now();
    const { status, reason: error } = await this.sender.send(request, this.ending.signal);
    return { status, latency_ms: Math.round(performance.now() - began), error };
  }

  /** Waits for tests in progress, for a limited time. */
  async close(): Promise<void> {
    const grace = setTimeout(() => this.ending.abort(), this.limits.close_grace_ms);
    await Promise.all(this.sending);
    clearTimeout(grace);
  }
}
