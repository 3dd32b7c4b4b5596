import { setImmediate as nextTurn } from 'node:timers/promises';
import { runForQuery } from '../tasks/long-query.js';
import { type Call, Unavailable } from './call.js';

/** The single queue of one drive: in turns a task that needs the drive for itself, and a step of the commands. */
export class DriveQueue {
  /** Queued commands; a step takes those that it decides. */
  readonly calls: Call[] = [];
  private readonly exclusive_tasks: (() => Promise<void>)[] = [];
  private working = false;
  /** Resolves once the queue is empty. */
  private worked_off: Promise<void> = Promise.resolve();

  /** @param step works on the queued commands; called as long as there are any, never throws */
  constructor(private readonly step: () => Promise<void>) {}

  /** True while commands wait or run, or a task holds the queue. */
  get is_busy(): boolean {
    return this.working || this.calls.length > 0;
  }

  get waiting_tasks(): number {
    return this.exclusive_tasks.length;
  }

  get waiting(): number {
    return this.calls.length;
  }

  push(calls: readonly Call[]): void {
    for (const call of calls) this.calls.push(call);
    this.wake();
  }

  /** Runs a task between two steps. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.exclusive_tasks.push(() => task().then(resolve, reject));
      this.wake();
    });
  }

  /** Resolves when no command waits or runs. */
  async idle(): Promise<void> {
    while (this.is_busy) await this.worked_off;
  }

  private wake(): void {
    if (this.working) return;
    this.working = true;
    // In the next turn, so that commands arriving together are decided together.
    this.worked_off = new Promise((resolve) => {
      // Belongs to no single request: a disconnecting caller does not cancel it.
      runForQuery(undefined, () => setImmediate(() => void this.work().finally(resolve)));
    });
  }

  private async work(): Promise<void> {
    for (let was_task = false; this.has_work;) {
      // A task may take as long as a large command, and further ones arrive meanwhile.
      const is_step: boolean = this.waiting_tasks === 0 || (was_task && this.calls.length > 0);
      await (is_step ? this.step() : this.exclusive_tasks.shift()!());
      was_task = !is_step;
      // Waiting readers run first, before the next work changes the state; refused commands take time as well.
      if (this.has_work) await nextTurn();
    }
    this.working = false;
  }

  private get has_work(): boolean {
    return this.calls.length > 0 || this.waiting_tasks > 0;
  }
}

/** The batch of a drive in flight, and the shared wait of readers for its end. */
export class InFlight {
  private batch: Promise<void> | null = null;
  private awaited: Promise<void> | null = null;

  /** @param wait_ms maximum wait of a reader */
  constructor(private readonly wait_ms: number) {}

  /** True while no batch is in flight. */
  get is_idle(): boolean {
    return this.batch === null;
  }

  /** Tracks a batch, which must not reject, until it ends. */
  async during(batch: Promise<void>): Promise<void> {
    this.batch = batch;
    try {
      // The first to wait for it, so that readers that wait too find none in flight.
      await batch;
    } finally {
      this.batch = null;
    }
  }

  /** Resolves when no batch is in flight; after `wait_ms` it throws `busy`. */
  async idle(): Promise<void> {
    // All readers of one batch share one timer.
    while (this.batch) await (this.awaited ??= this.idleInTime(this.batch));
  }

  private async idleInTime(batch: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const too_late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Unavailable('busy')), this.wait_ms);
      timer.unref();
    });
    try {
      await Promise.race([batch, too_late]);
    } finally {
      clearTimeout(timer);
      this.awaited = null;
    }
  }
}
