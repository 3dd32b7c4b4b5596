import type { FoldedEvent } from '../foundation/evolver.js';
import type { DriveState } from '../foundation/state.js';
import { atOnce, type Steps } from '../kernel/steps.js';
import { FAMILIES } from './families.js';

const by_type = new Map(FAMILIES.flatMap(({ evolve: evolvers }) => Object.entries(evolvers)));

/**
 * Applies the next event. An event of an unknown type changes nothing but is remembered: the state
 * then no longer matches the stream, and the serving process must close the drive.
 */
export function evolve(state: DriveState, event: FoldedEvent): void {
  const steps = evolving(state, event);
  if (steps) atOnce(steps);
}

/** The same. @returns the steps in which the event changes records, if there can be many; no record is changed yet */
export function evolving(state: DriveState, event: FoldedEvent): Steps | void {
  state.undo_log.revision = event.revision;
  state.timestamp_ms = event.timestamp_ms;
  const evolver = by_type.get(event.type);
  if (evolver) return evolver(state, event.data, event);
  if (!state.unknown_events.has(event.type))
    state.undo_log.make({
      redo: () => state.unknown_events.add(event.type),
      undo: () => state.unknown_events.delete(event.type),
    });
}
