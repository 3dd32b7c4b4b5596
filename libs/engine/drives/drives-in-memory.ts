import { Unavailable } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import { FACTORY_ID } from '../fold/fold.js';
import { Semaphore } from '../tasks/semaphore.js';
import { estimatedBytes, TooLarge } from '../fold/state-bytes.js';
import { runForQuery } from '../tasks/long-query.js';

/** Estimated bytes of one idempotency key in memory. */
const BYTES_PER_KEY = 400;

interface MemoryOptions {
  /** Loads a drive from the store. */
  readonly build: (drive_id: string) => Promise<Drive>;
  /** True if that will take long. */
  readonly isLong: (drive_id: string) => Promise<boolean>;
  /** Called for every evicted drive. */
  readonly evict: (drive: Drive) => void;
  readonly clock: () => number;
  /** For all drives together, bytes (estimated). */
  readonly budget_bytes: number;
  readonly cold_loads_max: number;
}

/**
 * How long a drive is refused as too large before it is loaded again, ms. Other processes may have made it smaller.
 */
const TOO_LARGE_FOR_MS = 600_000;
/** Maximum cached too-large drives. */
const MOST_TOO_LARGE = 1_000;

/** The drives in memory: loaded on demand, each once; the least recently used are evicted first. */
export class DrivesInMemory {
  private readonly loading = new Map<string, Promise<Drive>>();
  private readonly loaded = new Map<string, Drive>();
  /** Drives being spawned; they cannot be loaded meanwhile. */
  private readonly making = new Map<string, Promise<void>>();
  private readonly cold_loads: Semaphore;
  /** Three quarters of them: large drives leave the others a place. */
  private readonly long_loads: Semaphore;
  /** Drives that exceed the memory budget, with the time until which they are refused. */
  private readonly too_large = new Map<string, number>();

  constructor(private readonly options: MemoryOptions) {
    const { cold_loads_max: most } = options;
    this.cold_loads = new Semaphore(most);
    this.long_loads = new Semaphore(Math.max(1, Math.floor((3 * most) / 4)));
  }

  get(drive_id: string): Drive | undefined {
    return this.loaded.get(drive_id);
  }

  values(): IterableIterator<Drive> {
    return this.loaded.values();
  }

  /** The drive, loaded if necessary. */
  async open(drive_id: string): Promise<Drive> {
    const making = this.making.get(drive_id);
    if (making) await making;
    const drive = this.loaded.get(drive_id) ?? (await this.load(drive_id));
    drive.last_used_ms = this.options.clock();
    return drive;
  }

  /** The drive if it is in memory or being loaded; undefined if it is not, or if its load fails. */
  resident(drive_id: string): Promise<Drive | undefined> | undefined {
    const drive = this.loaded.get(drive_id);
    if (drive) return Promise.resolve(drive);
    const coming = this.making.get(drive_id) ?? this.loading.get(drive_id);
    return coming?.then(
      () => this.loaded.get(drive_id),
      () => undefined,
    );
  }

  /** Reserves a drive's place while the task creates it; false (after waiting) if another task creates it. */
  async make(drive_id: string, task: () => Promise<Drive | null>): Promise<boolean> {
    const making = this.making.get(drive_id);
    if (making) {
      await making;
      return false;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.making.set(drive_id, promise);
    try {
      const drive = await task();
      if (drive) this.keep(drive);
    } finally {
      this.making.delete(drive_id);
      resolve();
    }
    return true;
  }

  /** Resolves when no load and no spawn is in progress. */
  async quiet(): Promise<void> {
    await Promise.allSettled([...this.making.values(), ...this.loading.values()]);
  }

  /** Evicts a drive unless it is in use. */
  release(drive_id: string): void {
    const drive = this.loaded.get(drive_id);
    if (drive && isIdle(drive)) this.evictDrive(drive);
  }

  /**
   * Evicts the least recently used drives while all together exceed the budget, except the drive just loaded for a
   * caller.
   */
  evict(wanted?: Drive): void {
    const { budget_bytes } = this.options;
    let bytes = 0;
    for (const drive of this.loaded.values()) bytes += driveBytes(drive);
    if (bytes <= budget_bytes) return;
    const idle = [...this.loaded.values()]
      .filter((drive) => drive !== wanted && isIdle(drive))
      .sort((a, b) => a.last_used_ms - b.last_used_ms);
    for (const drive of idle) {
      if (bytes <= budget_bytes) return;
      bytes -= driveBytes(drive);
      this.evictDrive(drive);
    }
  }

  private evictDrive(drive: Drive): void {
    this.loaded.delete(drive.drive_id);
    drive.is_evicted = true;
    this.options.evict(drive);
  }

  /** The drive if it can be read immediately: in memory, with only durable events in its state from now on. */
  ready(drive_id: string): Drive | undefined {
    const drive = this.loaded.get(drive_id);
    if (drive?.makeReadable() !== true) return undefined;
    drive.last_used_ms = this.options.clock();
    return drive;
  }

  /** Answers a query from the drive's durable state: at once if neither the drive nor the query has to wait. */
  readAtOnce<T>(drive_id: string, question: (drive: Drive) => T | Promise<T>): T | Promise<T> {
    const ready = this.ready(drive_id);
    if (!ready) return this.readLater(drive_id, question);
    const answer = question(ready);
    return answer instanceof Promise ? holding(ready, () => answer) : answer;
  }

  private readLater<T>(drive_id: string, question: (drive: Drive) => T | Promise<T>): Promise<T> {
    return this.hold(drive_id, async (drive) => {
      await drive.durable();
      return question(drive);
    });
  }

  /** Runs a task with a drive that stays in memory until the task ends. */
  async hold<T>(drive_id: string, task: (drive: Drive) => T | Promise<T>): Promise<T> {
    const drive = await this.openUsable(drive_id);
    return holding(drive, () => task(drive));
  }

  /** The drive; retried if it is evicted between lookup and use. */
  async openUsable(drive_id: string): Promise<Drive> {
    let drive = await this.open(drive_id);
    while (drive.is_evicted) drive = await this.open(drive_id);
    return drive;
  }

  private load(drive_id: string): Promise<Drive> {
    let loading = this.loading.get(drive_id);
    if (!loading) {
      // The load is independent of its first caller, which may disconnect while others wait.
      loading = runForQuery(undefined, () => this.buildInTurn(drive_id))
        .then((drive) => this.keep(drive))
        .finally(() => this.loading.delete(drive_id));
      this.loading.set(drive_id, loading);
    }
    return loading;
  }

  private async buildInTurn(drive_id: string): Promise<Drive> {
    const build = (): Promise<Drive> => this.cold_loads.run(() => this.build(drive_id));
    // If the stores do not say, the load shows why.
    const is_long = await this.options.isLong(drive_id).catch(() => false);
    return is_long ? this.long_loads.run(build) : build();
  }

  /** @throws Unavailable `too-large`, from the cache without reading the store if possible */
  private async build(drive_id: string): Promise<Drive> {
    const { build, clock } = this.options;
    const until_ms = this.too_large.get(drive_id);
    if (until_ms !== undefined && clock() < until_ms) throw new Unavailable('too-large');
    this.too_large.delete(drive_id);
    try {
      return await build(drive_id);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      const [oldest] = this.too_large.keys();
      if (this.too_large.size >= MOST_TOO_LARGE) this.too_large.delete(oldest!);
      this.too_large.set(drive_id, clock() + TOO_LARGE_FOR_MS);
      throw new Unavailable('too-large', { cause: error });
    }
  }

  private keep(drive: Drive): Drive {
    drive.last_used_ms = this.options.clock();
    this.loaded.set(drive.drive_id, drive);
    this.evict(drive);
    return drive;
  }
}

/** The factory's drive is never idle. */
function isIdle({ drive_id, queue, holders }: Drive): boolean {
  return drive_id !== FACTORY_ID && !queue.is_busy && holders === 0;
}

/** Estimated memory of a drive, bytes. */
function driveBytes({ folded }: Drive): number {
  return estimatedBytes(folded.state) + folded.keys.size * BYTES_PER_KEY;
}

async function holding<T>(drive: Drive, task: () => T | Promise<T>): Promise<T> {
  drive.holders++;
  try {
    return await task();
  } finally {
    drive.holders--;
  }
}
