import { Unavailable } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import type { ProcessRole } from './role.js';
import { FACTORY_ID } from '../fold/fold.js';

/** How long it counts that a drive was not found, ms. */
const UNKNOWN_MS = 1_000;
/** Most ids remembered that are no drive's. */
const MOST_UNKNOWN = 10_000;

export interface DriveListOptions {
  readonly open: (drive_id: string) => Promise<Drive>;
  /** True if the drive's stream has events. */
  readonly has_stream: (drive_id: string) => Promise<boolean>;
  readonly clock: () => number;
  readonly role: ProcessRole;
}

/** The drives of an installation, as the factory has named them. A stream alone is no drive. */
export class DriveList {
  /** When ids were looked for in vain. */
  private readonly unknown = new Map<string, number>();
  /** A look at the end of the factory's stream that has not begun yet; all who come before it share it. */
  private coming: Promise<void> | null = null;
  private looking: Promise<void> = Promise.resolve();

  constructor(private readonly options: DriveListOptions) {}

  /**
   * True if the drive has been named, by whatever process, as of a second ago at most.
   * @throws Unavailable `importing`, or if the store cannot be asked
   */
  async has(drive_id: string): Promise<boolean> {
    const factory = await this.factory();
    if (isNamed(factory, drive_id)) return true;
    if (!this.options.role.follows || this.isKnownToBeUnknown(drive_id)) return false;
    await this.look();
    await factory.settled();
    if (isNamed(factory, drive_id)) return true;
    await this.refuseArriving(factory, drive_id);
    if (this.unknown.size >= MOST_UNKNOWN) this.unknown.clear();
    this.unknown.set(drive_id, this.options.clock());
    return false;
  }

  /** Ids of all drives, in the order in which they were named. */
  async all(): Promise<readonly string[]> {
    const factory = await this.factory();
    if (this.options.role.follows) {
      await this.look();
      await factory.settled();
    }
    return [...factory.state.spawned_drives.ids()];
  }

  /** Of an installation that is brought here whole, the factory comes last: what lies there before it is on its way. */
  private async refuseArriving({ head }: Drive, drive_id: string): Promise<void> {
    if (head.revision >= 0) return;
    const is_there = await this.options.has_stream(drive_id).catch((cause: unknown) => {
      throw new Unavailable('store-failed', { cause });
    });
    if (is_there) throw new Unavailable('importing');
  }

  private async factory(): Promise<Drive> {
    const factory = await this.options.open(FACTORY_ID);
    await factory.settled();
    return factory;
  }

  private isKnownToBeUnknown(drive_id: string): boolean {
    const since = this.unknown.get(drive_id);
    if (since === undefined) return false;
    // A clock that was set back must not make it count for longer.
    if (Math.abs(this.options.clock() - since) < UNKNOWN_MS) return true;
    this.unknown.delete(drive_id);
    return false;
  }

  /** Reads the factory's stream to its end as it is now or later. However many ask, one look runs at a time. */
  private look(): Promise<void> {
    this.coming ??= this.looking.then(() => {
      this.coming = null;
      const look = this.options
        .open(FACTORY_ID)
        .then((factory) => factory.follow())
        .catch((cause: unknown) => {
          throw cause instanceof Unavailable ? cause : new Unavailable('store-failed', { cause });
        });
      this.looking = look.catch(() => {});
      return look;
    });
    return this.coming;
  }
}

function isNamed({ state }: Drive, drive_id: string): boolean {
  const named = state.spawned_drives.get(drive_id);
  if (named?.importing) throw new Unavailable('importing');
  return named !== undefined;
}
