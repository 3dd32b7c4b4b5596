import { Unavailable } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import { FACTORY_ID } from '../fold/fold.js';
import { Semaphore } from '../tasks/semaphore.js';
import { estimatedBytes, TooLarge } from '../fold/state-bytes.js';
import { workFor } from '../tasks/question.js';

/** Estimated bytes of one idempotency key in memory. */
const BYTES_PER_KEY = 400;

export interface MemoryOptions {
  /** Makes a drive from the store. */
  readonly build: (drive_id: string) => Promise<Drive>;
  /** Told of a drive that was let go of. */
  readonly evict: (drive: Drive) => void;
  readonly clock: () => number;
  /** For all drives together, bytes (estimated). */
  readonly budget_bytes: number;
  readonly cold_loads_max: number;
}

/** How long a drive is known to be too large before it is loaded again, ms. Others may have made it smaller. */
const TOO_LARGE_FOR_MS = 600_000;
/** Most drives known to be too large. */
const MOST_TOO_LARGE = 1_000;

/** The drives that a process holds: loaded when needed, each once; those unused for longest go first. */
export class DrivesInMemory {
  private readonly loading = new Map<string, Promise<Drive>>();
  private readonly loaded = new Map<string, Drive>();
  /** Drives being made; nobody else may load them meanwhile. */
  private readonly making = new Map<string, Promise<void>>();
  private readonly cold_loads: Semaphore;
  /** Drives that take more memory than there may be, with the time until which that is believed. */
  private readonly too_large = new Map<string, number>();

  constructor(private readonly options: MemoryOptions) {
    this.cold_loads = new Semaphore(options.cold_loads_max);
  }

  get(drive_id: string): Drive | undefined {
    return this.loaded.get(drive_id);
  }

  values(): IterableIterator<Drive> {
    return this.loaded.values();
  }

  /** The drive, loaded if need be. */
  async open(drive_id: string): Promise<Drive> {
    const making = this.making.get(drive_id);
    if (making) await making;
    const drive = this.loaded.get(drive_id) ?? (await this.load(drive_id));
    drive.last_used_ms = this.options.clock();
    return drive;
  }

  /** The drive if it is here, or on its way here; undefined if it is not, or does not come. */
  resident(drive_id: string): Promise<Drive | undefined> | undefined {
    const drive = this.loaded.get(drive_id);
    if (drive) return Promise.resolve(drive);
    const coming = this.making.get(drive_id) ?? this.loading.get(drive_id);
    return coming?.then(
      () => this.loaded.get(drive_id),
      () => undefined,
    );
  }

  /** Holds a drive's place while it is made; false if somebody makes it, who is waited for. */
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

  /** Resolves when nothing is being loaded or made any more. */
  async quiet(): Promise<void> {
    await Promise.allSettled([...this.making.values(), ...this.loading.values()]);
  }

  /** Lets go of a drive unless it is in use. */
  release(drive_id: string): void {
    const drive = this.loaded.get(drive_id);
    if (drive && isIdle(drive)) this.evictDrive(drive);
  }

  /**
   * Lets go of the drives unused for longest while all together take more than the budget; not of the
   * one just loaded, for which somebody waits.
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

  private load(drive_id: string): Promise<Drive> {
    let loading = this.loading.get(drive_id);
    if (!loading) {
      // Whoever asked first may go: others wait for it too, and the next one need not.
      loading = workFor(undefined, () => this.cold_loads.run(() => this.build(drive_id)))
        .then((drive) => this.keep(drive))
        .finally(() => this.loading.delete(drive_id));
      this.loading.set(drive_id, loading);
    }
    return loading;
  }

  /** @throws Unavailable `too-large`, without looking at the store where that is known */
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

/** The factory is in use all the time. */
function isIdle({ drive_id, is_busy, holders }: Drive): boolean {
  return drive_id !== FACTORY_ID && !is_busy && holders === 0;
}

/** Memory that a drive takes, bytes. */
function driveBytes({ folded }: Drive): number {
  return estimatedBytes(folded.state) + folded.keys.size * BYTES_PER_KEY;
}
