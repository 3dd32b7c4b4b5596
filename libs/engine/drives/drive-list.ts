import { Unavailable } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import type { ProcessRole } from './role.js';
import { FACTORY_ID } from '../fold/fold.js';

/** How long a negative lookup of a drive is cached, ms. */
const UNKNOWN_MS = 1_000;
/** Maximum cached negative lookups. */
const MOST_UNKNOWN = 10_000;

interface DriveListOptions {
  readonly open: (drive_id: string) => Promise<Drive>;
  /** True if the drive's stream has events. */
  readonly has_stream: (drive_id: string) => Promise<boolean>;
  readonly clock: () => number;
  readonly role: ProcessRole;
}

/** The drives of an installation, as the factory's stream names them. A stream that it does not name is no drive. */
export class DriveList {
  /** Times of negative lookups, by id. */
  private readonly unknown = new Map<string, number>();
  /** The scheduled read of the factory's stream; all callers that arrive before it begins share it. */
  private coming: Promise<void> | null = null;
  private looking: Promise<void> = Promise.resolve();

  constructor(private readonly options: DriveListOptions) {}

  /**
   * True if the factory has named the drive, as of at most a second ago.
   * @throws Unavailable `importing`, or if the store is unavailable
   */
  async has(drive_id: string): Promise<boolean> {
    const factory = await this.factory();
    if (isNamed(factory, drive_id)) return true;
    if (this.options.role.follows) {
      if (this.isKnownToBeUnknown(drive_id)) return false;
      await this.look();
      await factory.durable();
      if (isNamed(factory, drive_id)) return true;
    }
    await this.refuseArriving(factory, drive_id);
    if (!this.options.role.follows) return false;
    if (this.unknown.size >= MOST_UNKNOWN) this.unknown.clear();
    this.unknown.set(drive_id, this.options.clock());
    return false;
  }

  /** Ids of all drives, in the order in which they were named. */
  async all(): Promise<readonly string[]> {
    const factory = await this.factory();
    if (this.options.role.follows) {
      await this.look();
      await factory.durable();
    }
    return [...factory.state.spawned_drives.ids()];
  }

  /**
   * When a whole installation is imported, the factory's stream comes last: until then its drives are not complete.
   */
  private async refuseArriving({ head }: Drive, drive_id: string): Promise<void> {
    if (head.revision >= 0) return;
    const is_there = await this.options.has_stream(drive_id).catch((cause: unknown) => {
      throw new Unavailable('store-failed', { cause });
    });
    if (is_there) throw new Unavailable('importing');
  }

  private async factory(): Promise<Drive> {
    const factory = await this.options.open(FACTORY_ID);
    await factory.durable();
    return factory;
  }

  private isKnownToBeUnknown(drive_id: string): boolean {
    const since = this.unknown.get(drive_id);
    if (since === undefined) return false;
    // The absolute difference, in case the clock was set back.
    if (Math.abs(this.options.clock() - since) < UNKNOWN_MS) return true;
    this.unknown.delete(drive_id);
    return false;
  }

  /** Reads the factory's stream to its end as of the call or later. At most one read runs at a time. */
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
