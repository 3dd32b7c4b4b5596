import type { FoldedEvent } from '../foundation/evolver.js';
import type { DriveState } from '../foundation/state.js';
import { FAMILIES } from './families.js';

const by_type = new Map(FAMILIES.flatMap(({ evolve: evolvers }) => Object.entries(evolvers)));

/**
 * Applies the next event. An event of an unknown type changes nothing but is remembered: the state
 * then no longer matches the stream, and the serving process must close the drive.
 */
export function evolve(state: DriveState, event: FoldedEvent): void {
  state.undo_log.revision = event.revision;
  state.timestamp_ms = event.timestamp_ms;
  const evolver = by_type.get(event.type);
  if (evolver) evolver(state, event.data, event);
  else if (!state.unknown_events.has(event.type))
    state.undo_log.make({
      redo: () => state.unknown_events.add(event.type),
      undo: () => state.unknown_events.delete(event.type),
    });
}
