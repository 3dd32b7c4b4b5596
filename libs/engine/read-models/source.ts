import type { RecordBase } from '../../domain/kernel/record.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { Box, type Opener } from '../../domain/kernel/sealed.js';
import type { ChangingSource, Document } from '../../read-model/port.js';

/** The documents of a state, rendered on demand. */
export function stateSource(state: DriveState, open: Opener): ChangingSource {
  return {
    get revision() {
      return state.revision;
    },
    version: (family) => state.table(family)?.version ?? 0,
    changedSince: (family, version, until) =>
      state.table(family)?.changedSince(version, until) ?? null,
    document(family, id) {
      const record = state.table(family)?.get(id);
      return record && new StateDocument(family, record, open);
    },
    *documents(family) {
      const table = state.table(family);
      // Records that are added meanwhile come last.
      for (const record of table?.values().take(table.size) ?? [])
        yield new StateDocument(family, record, open);
    },
  };
}

/** A record as a document; sealed fields are opened on demand. */
class StateDocument implements Document {
  readonly id: string;
  readonly revision: number;
  private opened?: object;

  constructor(
    readonly family: string,
    private readonly own: RecordBase,
    private readonly open: Opener,
  ) {
    this.id = own.id;
    this.revision = own.revision!;
  }

  get record(): object {
    return (this.opened ??= rendered(this.own, this.open));
  }
}

/** The record with its sealed fields opened; the same object if nothing is sealed. */
export function rendered<R extends RecordBase>(record: R, open: Opener): R {
  let opened: R | undefined;
  // Faster than Object.entries: indexes render every record, and most hold nothing sealed.
  for (const name in record) {
    const value = record[name];
    if (!(value instanceof Box)) continue;
    opened ??= { ...record };
    opened[name] = open(value, name);
  }
  return opened ?? record;
}
