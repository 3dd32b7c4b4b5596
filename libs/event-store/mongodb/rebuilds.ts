import type { Collection, Db } from 'mongodb';

import type { HeardWithin, Rebuild, RebuildStore } from '../jobs.js';
import { insertMissing } from '../../mongodb/put.js';
import { openCollection, rowId } from './rows.js';

interface RebuildRow extends Rebuild {
  /** For the latest rebuild of a drive, the drive's id; for earlier ones that and the job's. */
  readonly _id: string;
}

/**
 * Rebuilds in the collection `side_rebuilds`. A drive's latest rebuild is in the drive's document, so one conditional
 * change begins the next; the replaced one is first stored beside it.
 */
export class MongoRebuildStore implements RebuildStore {
  private constructor(private readonly rows: Collection<RebuildRow>) {}

  static async open(db: Db, read_only: boolean): Promise<MongoRebuildStore> {
    return new MongoRebuildStore(
      await openCollection(db, 'rebuilds', [{ started_ms: 1 }], read_only),
    );
  }

  async begin(
    rebuild: Rebuild,
    { from_ms, to_ms }: HeardWithin,
  ): Promise<{ rebuild: Rebuild; is_new: boolean }> {
    const { drive_id: _id } = rebuild;
    for (;;) {
      const [known] = await insertMissing(this.rows, [{ _id, ...rebuild }]);
      if (!known) return { rebuild, is_new: true };
      const last = await this.rows.findOne({ _id });
      // It may have been deleted meanwhile.
      if (!last) continue;
      const { job_id, started_ms, heard_ms, finished_ms } = last;
      if (finished_ms === null && heard_ms >= from_ms && heard_ms <= to_ms)
        return { rebuild: rebuildOf(last), is_new: false };
      const earlier = { ...rebuildOf(last), _id: rowId(_id, job_id) };
      await this.rows.replaceOne({ _id: earlier._id }, earlier, { upsert: true });
      const as_seen = { _id, job_id, started_ms, heard_ms, finished_ms };
      const { matchedCount } = await this.rows.replaceOne(as_seen, rebuild);
      if (matchedCount > 0) return { rebuild, is_new: true };
    }
  }

  async note(rebuild: Rebuild): Promise<void> {
    const { drive_id, job_id, started_ms, ...told } = rebuild;
    const running = { job_id, started_ms, finished_ms: null };
    for (const _id of [drive_id, rowId(drive_id, job_id)]) {
      const { matchedCount } = await this.rows.updateOne({ _id, ...running }, { $set: told });
      if (matchedCount > 0) return;
    }
  }

  async find(drive_id: string, job_id: string): Promise<Rebuild | null> {
    const found =
      (await this.rows.findOne({ _id: drive_id, job_id })) ??
      (await this.rows.findOne({ _id: rowId(drive_id, job_id) }));
    return found && rebuildOf(found);
  }

  async trim(before_ms: number): Promise<void> {
    await this.rows.deleteMany({ started_ms: { $lt: before_ms } });
  }
}

function rebuildOf({ _id, ...rebuild }: RebuildRow): Rebuild {
  return rebuild;
}
