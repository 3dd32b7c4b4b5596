import type { DriveState } from './state.js';
import type { EventFacts } from '../kernel/event.js';
import type { Steps } from '../kernel/steps.js';

/**
 * One case per event: applies the event to the state. No decisions, no clock, no failure. Where that can change many
 * records, it is done in steps.
 */
export type Evolvers<Events> = {
  readonly [Type in keyof Events]: (
    state: DriveState,
    data: Events[Type],
    facts: EventFacts,
  ) => Steps | void;
};

/** An event during folding: its body parsed, its sealed fields as boxes. */
export interface FoldedEvent extends EventFacts {
  readonly revision: number;
  readonly type: string;
  readonly data: unknown;
}
