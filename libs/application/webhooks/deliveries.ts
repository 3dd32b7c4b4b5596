import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Provided } from '../providers.js';
import { deniedBy } from '../../domain/access/denial.js';
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/kernel/refusal.js';
import { webhookCommands } from '../../domain/webhooks/commands.js';
import type { Webhook } from '../../domain/webhooks/record.js';
import { webhookReads } from '../../domain/webhooks/reads.js';
import { isRefused, type Outcome } from '../../engine/writer/call.js';
import { Drives } from '../../engine/drives/drives.js';
import { outOfRange } from '../../engine/past/points.js';
import { Semaphore } from '../../engine/tasks/semaphore.js';
import { Webhooks } from '../../engine/webhooks/webhooks.js';
import type { Attempt, AttemptPage } from '../../event-store/stores.js';
import { approach, takenPage } from '../../read-model/page.js';
import type { PageRequest } from '../../read-model/port.js';
import { pageFrame, type PageInput, pageRequest } from '../pages/cursor.js';
import { DriveCommand } from '../drive-command.js';
import { driveQuery } from '../drive-query.js';
import type { ListPage } from '../list-records.js';
import { answerNow, readOnAll } from '../read-record.js';
import { integer, nullable, oneOf, type Shown, text, view } from '../../domain/kernel/view.js';

const OUTCOMES = ['delivered', 'failed', 'quarantined'] as const;

/** One delivery attempt, or the end of a delivery without an attempt. */
export const deliveryAttemptView = view('DeliveryAttempt', {
  delivery_id: text('The header webhook-id; the same on every attempt'),
  event: text({ example: 'file.created' }),
  revision: nullable(integer('Revision of the event that caused it; null if no event did')),
  nonce: nullable(integer('Null if the queue was full')),
  attempt: integer('Counts from 1; 0 if no attempt was made'),
  timestamp_ms: integer(),
  status: nullable(integer('HTTP status; null if there was no answer')),
  latency_ms: integer(),
  outcome: oneOf(OUTCOMES, 'failed: will be retried; quarantined: no more retries'),
  reason: nullable(text('The error, if it was not the HTTP status')),
});
type DeliveryAttemptView = Shown<typeof deliveryAttemptView>;

interface ReplayWebhookInput {
  readonly id: string;
  readonly from_revision: number;
  readonly to_revision: number;
}

export const replayWebhookView = view('ReplayedWebhook', {
  id: text(),
  from_revision: integer(),
  to_revision: integer(),
  queued: integer('Deliveries put in the queue'),
});
type ReplayWebhookAnswer = Shown<typeof replayWebhookView>;

/**
 * Resends past occurrences. The deliveries are queued before the event of the resend is appended. After a crash in
 * between they may be sent twice, with the same delivery ids, but none is lost.
 */
export class ReplayWebhook extends DriveCommand<ReplayWebhookInput, ReplayWebhookAnswer> {}

@Provided
@CommandHandler(ReplayWebhook)
export class ReplayWebhookHandler implements ICommandHandler<ReplayWebhook> {
  /** Serializes requests, so that a repeated idempotency key finds the result of the first request. */
  private readonly turns = new Semaphore(1);

  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Webhooks) private readonly webhooks: Webhooks,
  ) {}

  execute(command: ReplayWebhook): Promise<Outcome<ReplayWebhookAnswer>> {
    return this.turns.run(() => this.inTurn(command));
  }

  private async inTurn({
    drive_id,
    input: { id, from_revision, to_revision },
    request,
  }: ReplayWebhook): Promise<Outcome<ReplayWebhookAnswer>> {
    const definition = webhookCommands.ReplayWebhook;
    const command = { id, from_revision, to_revision, queued: 0 };
    // Another process may have queued the deliveries under this key.
    if (request.idempotency) await this.drives.commands.catchUp(drive_id);
    const earlier = await this.drives.commands.recall(drive_id, definition, command, request);
    if (earlier) return earlier;
    // A dry run checks permissions before any delivery is queued.
    const tried = await this.drives.commands.run(drive_id, definition, command, {
      ...request,
      dry_run: true,
    });
    if (isRefused(tried)) return tried;
    const counted = await readOnAll<number>(this.drives, drive_id, (drive) => {
      const refused = this.refuseRange(command, drive.head.revision);
      if (refused) return refused;
      const webhook = drive.state.webhooks.get(id);
      return webhook
        ? this.webhooks.replay(drive, webhook, command, request.dry_run)
        : refuse('webhook-not-found');
    });
    if (isRefused(counted)) return counted;
    const queued = { ...command, queued: counted.data };
    return this.drives.commands.run(drive_id, definition, queued, request);
  }

  private refuseRange(
    { from_revision, to_revision }: ReplayWebhookInput,
    head: number,
  ): Refusal | null {
    if (to_revision > head) return outOfRange('/to_revision', 0, head);
    if (from_revision > to_revision)
      return refuseField('/from_revision', 'must not be above to_revision');
    const most = this.webhooks.limits.replay_max_events;
    if (to_revision - from_revision < most) return null;
    return refuseField('/to_revision', `must be less than ${most} above from_revision`, most);
  }
}

export const ListWebhookDeliveries = driveQuery<
  PageInput & { readonly id: string },
  ListPage<DeliveryAttemptView>
>('ListWebhookDeliveries', (drives, reader, input) =>
  answerNow(drives, reader, async (context) => {
    const webhook = context.state.webhooks.get(input.id);
    if (!webhook) return refuse('webhook-not-found');
    if (!webhookReads.mayRead(context, webhook))
      return deniedBy(context, (other) => webhookReads.mayRead(other, webhook));
    return attemptsPage(drives, reader.drive_id, webhook, input);
  }),
);

async function attemptsPage(
  drives: Drives,
  drive_id: string,
  { id: webhook_id }: Webhook,
  input: PageInput,
): Promise<ListPage<DeliveryAttemptView> | Refusal> {
  const { jobs } = drives.side;
  const list = `${drive_id}\ndeliveries\n${webhook_id}`;
  const page = pageRequest(list, input, 'number');
  if (isRefusal(page)) return page;
  const { page_size } = page;
  // One extra attempt shows whether another page follows.
  const found = await jobs.attempts(drive_id, webhook_id, attemptQuery(page));
  const way = approach(page);
  const walked = (way.backward ? found.toReversed() : found).slice(0, page_size);
  const more = { ahead: found.length > page_size, behind: way.from !== undefined };
  const taken = takenPage(way, walked, more, ({ id }) => ({ key: id, id: String(id) }));
  const total = await jobs.attemptCount(drive_id, webhook_id);
  const items = taken.items.map(presentAttempt);
  return { items, ...pageFrame(list, page, { ...taken, total }) };
}

function attemptQuery({ page_size, direction, after, before }: PageRequest): AttemptPage {
  return {
    direction,
    limit: page_size + 1,
    ...(after && { after: Number(after.key) }),
    ...(before && { before: Number(before.key) }),
  };
}

function presentAttempt({ id: _, at_ms, ...attempt }: Attempt): DeliveryAttemptView {
  return { ...attempt, timestamp_ms: at_ms };
}
