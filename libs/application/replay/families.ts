import { SHOWN_RECORDS } from '../../domain/drive/record-kinds.js';
import type { Context } from '../../domain/foundation/decision.js';
import type { RecordBase } from '../../domain/kernel/record.js';

const replayed = new Map(
  SHOWN_RECORDS.filter(({ is_replayed }) => is_replayed).map((kind) => [
    kind.definition.name,
    kind,
  ]),
);

/** Names of the families that a replay can include, in the order of its answer. */
export const REPLAY_FAMILIES: readonly string[] = [...replayed.keys()];

/** Shows a record of any family as its `get` would. */
export function presentRecord(context: Context, family: string, record: object): object {
  const kind = replayed.get(family);
  if (!kind) throw new Error(`family ${family} cannot be shown`);
  return kind.reads.present(context, record as RecordBase);
}

/** The number of records of each family in a state, including empty families. */
export function countRecords({ state }: Context): Record<string, number> {
  return Object.fromEntries(REPLAY_FAMILIES.map((family) => [family, state.table(family)!.size]));
}
