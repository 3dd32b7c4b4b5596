import type { DriveState } from '../../../libs/domain/foundation/state.js';

/** Bytes in use after a full collection; the process must run with --expose-gc. */
export function held(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Has a state make all its indexes, which it does else when one is first asked for: what is held shows them then. */
export function askAllIndexes({ tables, undo_log }: DriveState): void {
  for (const table of tables) {
    const { indexes = {}, pairs = {} } = table.definition;
    for (const name of Object.keys(indexes)) table.count(name, '');
    for (const name of Object.keys(pairs)) table.pair(name);
  }
  undo_log.edges.pass(0);
  undo_log.pins.of('');
  undo_log.referencesTo('');
}
