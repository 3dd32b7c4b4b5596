import type { AnyReadModel } from '../../read-model/port.js';
import type { ProcessRole } from '../drives/role.js';

/** Maximum duration of a build, ms. */
const LONGEST_BUILD_MS = 3_600_000;

interface LeftOversOptions {
  readonly read_model: AnyReadModel;
  readonly role: Pick<ProcessRole, 'maintains' | 'follows'>;
  readonly report: (what: string, drive_id: string, error: unknown) => void;
}

/**
 * Generations of a durable read model that crashed processes left, complete or half filled. They hold texts of people
 * who may have been erased since, so they are swept as soon as nobody can be building them.
 */
export class LeftOvers {
  /** Drives that are looked at again. */
  private readonly later = new Set<string>();

  constructor(private readonly options: LeftOversOptions) {}

  /** Sweeps those of a drive that is being loaded: without other processes, nobody builds any. */
  loading(drive_id: string): Promise<void> {
    return this.sweep(drive_id, this.options.role.follows);
  }

  /** Sweeps those of a drive in use, whose generations may be in progress. */
  erased(drive_id: string): Promise<void> {
    return this.sweep(drive_id, true);
  }

  private async sweep(drive_id: string, may_be_building: boolean): Promise<void> {
    const { read_model, role } = this.options;
    if (!role.maintains || !read_model.durable) return;
    let is_young = false;
    for (const { generation, active } of await read_model.generations(drive_id)) {
      if (active) continue;
      if (may_be_building && !isOld(generation)) is_young = true;
      else await read_model.sweep(drive_id, generation);
    }
    if (is_young) this.sweepLater(drive_id);
  }

  private sweepLater(drive_id: string): void {
    if (this.later.has(drive_id)) return;
    this.later.add(drive_id);
    const { report } = this.options;
    setTimeout(() => {
      this.later.delete(drive_id);
      this.sweep(drive_id, true).catch((error: unknown) =>
        report('left-over read models not removed', drive_id, error),
      );
    }, LONGEST_BUILD_MS).unref();
  }
}

/** True if a generation is too old to be still in progress; its name begins with its time. */
function isOld(generation: string): boolean {
  return Date.now() - Number.parseInt(generation, 10) > LONGEST_BUILD_MS;
}
