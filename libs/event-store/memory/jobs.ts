import type {
  Attempt,
  AttemptPage,
  Delivery,
  JobCounts,
  JobStore,
  NewAttempt,
  NewDelivery,
  OpenReactor,
  QueueBounds,
  ReactorPosition,
} from '../jobs.js';
import { Claims } from '../claims.js';
import { MemoryRebuildStore } from './rebuilds.js';

interface Line {
  readonly drive_id: string;
  readonly deliveries: Delivery[];
  next_ms: number;
}

const lineKey = (drive_id: string, webhook_id: string): string => `${drive_id}\n${webhook_id}`;

/** Jobs in memory, for tests. */
export class MemoryJobStore implements JobStore {
  readonly rebuilds = new MemoryRebuildStore();
  private readonly open_reactors = new Map<string, OpenReactor>();
  private readonly lines = new Map<string, Line>();
  private readonly log = new Map<string, Attempt[]>();
  private readonly claims = new Claims();
  private last_nonce = 0;
  private last_attempt = 0;

  async open(position: ReactorPosition, at_ms: number): Promise<void> {
    const { drive_id } = position;
    const known = this.open_reactors.get(drive_id);
    if (known && known.quarantined === null) {
      this.open_reactors.set(drive_id, { ...known, opened_ms: at_ms });
      return;
    }
    for (const [key, line] of this.lines) if (line.drive_id === drive_id) this.lines.delete(key);
    this.open_reactors.set(drive_id, { ...copied(position), opened_ms: at_ms, quarantined: null });
  }

  async reactor(drive_id: string): Promise<OpenReactor | null> {
    return this.open_reactors.get(drive_id) ?? null;
  }

  async reactors(after_drive_id: string, limit: number): Promise<readonly OpenReactor[]> {
    return [...this.open_reactors.values()]
      .filter(({ drive_id }) => drive_id > after_drive_id)
      .toSorted((a, b) => (a.drive_id < b.drive_id ? -1 : 1))
      .slice(0, limit);
  }

  async standing(limit: number): Promise<readonly OpenReactor[]> {
    const open = [...this.open_reactors.values()];
    return open.filter(({ quarantined }) => quarantined !== null).slice(0, limit);
  }

  async quarantine(drive_id: string, reason: string): Promise<void> {
    const known = this.open_reactors.get(drive_id);
    if (known) this.open_reactors.set(drive_id, { ...known, quarantined: reason });
  }

  async close(drive_id: string, opened_before_ms: number): Promise<void> {
    const known = this.open_reactors.get(drive_id);
    if (known && known.opened_ms < opened_before_ms) this.open_reactors.delete(drive_id);
  }

  async advance(
    from: ReactorPosition,
    to: ReactorPosition,
    found: readonly NewDelivery[],
    bounds: QueueBounds,
  ): Promise<boolean> {
    const known = this.open_reactors.get(from.drive_id);
    const stands_there =
      known?.quarantined === null &&
      known.revision === from.revision &&
      Buffer.from(known.event_hash).equals(from.event_hash);
    if (!stands_there) return false;
    this.open_reactors.set(from.drive_id, { ...known, ...copied(to) });
    await this.enqueue(found, bounds);
    return true;
  }

  async enqueue(deliveries: readonly NewDelivery[], bounds: QueueBounds): Promise<void> {
    for (const delivery of deliveries) {
      const { drive_id, webhook_id, queued_ms } = delivery;
      const key = lineKey(drive_id, webhook_id);
      const line = this.lines.get(key) ?? { drive_id, deliveries: [], next_ms: queued_ms };
      const bytes = line.deliveries.reduce((sum, { sealed }) => sum + sealed.length, 0);
      if (line.deliveries.length >= bounds.count || bytes + delivery.sealed.length > bounds.bytes) {
        const never = { nonce: null, attempts: 0 };
        this.note({ ...delivery, ...never }, 0, tooMuch(queued_ms));
        continue;
      }
      this.lines.set(key, line);
      this.last_nonce += 1;
      line.deliveries.push({ ...delivery, nonce: this.last_nonce, attempts: 0, first_ms: null });
    }
  }

  async due(now_ms: number, limit: number): Promise<readonly Delivery[]> {
    return [...this.lines.entries()]
      .filter(
        ([key, line]) =>
          line.next_ms <= now_ms && !this.claims.isTaken(key, now_ms) && !this.stands(line),
      )
      .map(([, line]) => line)
      .toSorted((a, b) => a.next_ms - b.next_ms)
      .slice(0, limit)
      .map((line) => line.deliveries[0]!);
  }

  async claim(
    drive_id: string,
    webhook_id: string,
    now_ms: number,
    until_ms: number,
  ): Promise<Delivery | null> {
    const key = lineKey(drive_id, webhook_id);
    const line = this.lines.get(key);
    if (!line || line.next_ms > now_ms || !this.claims.take(key, now_ms, until_ms)) return null;
    return line.deliveries[0]!;
  }

  async nextDue(after_ms: number): Promise<number | null> {
    const times = [...this.lines.values()]
      .filter((line) => line.next_ms > after_ms && !this.stands(line))
      .map((line) => line.next_ms);
    const claimed_ms = this.claims.nextEnd(after_ms);
    if (claimed_ms !== null) times.push(claimed_ms);
    return times.length > 0 ? Math.min(...times) : null;
  }

  async waiting(drive_id: string, webhook_id: string): Promise<QueueBounds> {
    const deliveries = this.lines.get(lineKey(drive_id, webhook_id))?.deliveries ?? [];
    const bytes = deliveries.reduce((sum, { sealed }) => sum + sealed.length, 0);
    return { count: deliveries.length, bytes };
  }

  async waitingIn(
    drive_id: string,
    after_nonce: number,
    limit: number,
  ): Promise<readonly Delivery[]> {
    return [...this.lines.values()]
      .flatMap(({ deliveries }) => deliveries)
      .filter((waiting) => waiting.drive_id === drive_id && waiting.nonce > after_nonce)
      .toSorted((a, b) => a.nonce - b.nonce)
      .slice(0, limit);
  }

  async postpone(delivery: Delivery, attempt: NewAttempt, next_ms: number): Promise<void> {
    const key = lineKey(delivery.drive_id, delivery.webhook_id);
    const line = this.lines.get(key);
    this.claims.free(key);
    const at = line?.deliveries.findIndex(({ nonce }) => nonce === delivery.nonce) ?? -1;
    if (!line || at < 0) return;
    const attempts = delivery.attempts + 1;
    line.deliveries[at] = { ...delivery, attempts, first_ms: delivery.first_ms ?? attempt.at_ms };
    line.next_ms = next_ms;
    this.note(delivery, attempts, attempt);
  }

  async finish(delivery: Delivery, attempt: NewAttempt): Promise<void> {
    const key = lineKey(delivery.drive_id, delivery.webhook_id);
    const line = this.lines.get(key);
    this.claims.free(key);
    const at = line?.deliveries.findIndex(({ nonce }) => nonce === delivery.nonce) ?? -1;
    if (!line || at < 0) return;
    line.deliveries.splice(at, 1);
    line.next_ms = attempt.at_ms;
    if (line.deliveries.length === 0) this.lines.delete(key);
    this.note(delivery, delivery.attempts + 1, attempt);
  }

  async drop(drive_id: string, webhook_id: string): Promise<void> {
    const key = lineKey(drive_id, webhook_id);
    this.lines.delete(key);
    this.claims.free(key);
  }

  async attempts(
    drive_id: string,
    webhook_id: string,
    { direction, limit, after, before }: AttemptPage,
  ): Promise<readonly Attempt[]> {
    const sign = direction === 'ASC' ? 1 : -1;
    const ordered = [...(this.log.get(lineKey(drive_id, webhook_id)) ?? [])].toSorted(
      (a, b) => sign * (a.id - b.id),
    );
    if (before === undefined) {
      const from = ordered.findIndex(({ id }) => after === undefined || sign * (id - after) > 0);
      return from < 0 ? [] : ordered.slice(from, from + limit);
    }
    return ordered.filter(({ id }) => sign * (id - before) < 0).slice(-limit);
  }

  async attemptCount(drive_id: string, webhook_id: string): Promise<number> {
    return this.log.get(lineKey(drive_id, webhook_id))?.length ?? 0;
  }

  async trim(before_ms: number, most_per_webhook: number): Promise<void> {
    for (const [key, attempts] of this.log) {
      const kept = attempts.filter(({ at_ms }) => at_ms >= before_ms).slice(-most_per_webhook);
      this.log.set(key, kept);
    }
  }

  async counts(): Promise<JobCounts> {
    const attempts = [...this.log.values()].flat();
    return {
      waiting: [...this.lines.values()].reduce((sum, line) => sum + line.deliveries.length, 0),
      quarantined: attempts.filter(({ outcome }) => outcome === 'quarantined').length,
      reactors_quarantined: [...this.open_reactors.values()].filter(
        ({ quarantined }) => quarantined !== null,
      ).length,
    };
  }

  /** True for the line of a drive with a quarantined reactor. */
  private stands({ drive_id }: Line): boolean {
    return (this.open_reactors.get(drive_id)?.quarantined ?? null) !== null;
  }

  private note(
    delivery: Omit<NewDelivery, 'sealed'> & { readonly nonce: number | null },
    attempt: number,
    noted: NewAttempt,
  ): void {
    const { drive_id, webhook_id, delivery_id, event, revision, nonce } = delivery;
    const key = lineKey(drive_id, webhook_id);
    const attempts = this.log.get(key) ?? [];
    this.log.set(key, attempts);
    this.last_attempt += 1;
    const { at_ms, status, latency_ms, outcome, reason } = noted;
    const result = { at_ms, status, latency_ms, outcome, reason };
    attempts.push({
      id: this.last_attempt,
      delivery_id,
      event,
      revision,
      nonce,
      attempt,
      ...result,
    });
  }
}

function copied({ drive_id, revision, event_hash }: ReactorPosition): ReactorPosition {
  return { drive_id, revision, event_hash: event_hash.slice() };
}

/** The attempt stored for a delivery beyond the queue's bounds. */
function tooMuch(at_ms: number): NewAttempt {
  const reason = 'too much waits for this webhook';
  return { at_ms, status: null, latency_ms: 0, outcome: 'quarantined', reason };
}
