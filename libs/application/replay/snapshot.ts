import { Access } from '../../domain/access/access.js';
import { refuse } from '../../domain/kernel/refusal.js';
import { rendered } from '../../engine/read-models/source.js';
import { nowQuery } from '../drive-query.js';
import { presentRecord, REPLAY_FAMILIES } from './families.js';

/** One family has a different name in the dump than in replays. */
const DUMP_NAMES: Readonly<Record<string, string>> = { superswaps: 'superswap_history' };

/** Maximum records of one dump: about 0.2 s of work in one turn of the event loop. */
export const MOST_DUMPED_RECORDS = 20_000;

/** The whole state by family, with secrets masked; for debugging. */
export const DumpState = nowQuery<{ production: boolean }, Record<string, unknown>>(
  'DumpState',
  (_, __, context, { production }) => {
    if (production) return refuse('forbidden');
    const access = Access.of(context);
    if (!access.owner()) return access.denied();
    if (context.state.record_count > MOST_DUMPED_RECORDS) return refuse('snapshot-too-large');
    const masked = { ...context, masked: true };
    const dump: Record<string, unknown> = { external_ids: {}, timestamp_ms: context.now };
    for (const family of REPLAY_FAMILIES) {
      const records = [...(context.state.table(family)?.values() ?? [])].map((record) =>
        presentRecord(masked, family, rendered(record, context.open)),
      );
      dump[DUMP_NAMES[family] ?? family] = family === 'organization' ? records[0] : records;
    }
    return dump;
  },
);
