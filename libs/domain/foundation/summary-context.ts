import type { RecordBase } from '../kernel/record.js';
import type { Opener } from '../kernel/sealed.js';

/** Data for an event's summary besides the event's body, as of the event. */
export interface SummaryContext {
  readonly actor: string;
  readonly open: Opener;
  /** Name of a record, user or table just after the event; for a removed one its last name. */
  readonly name: (id: string) => string;
  /** Its name just before the event. */
  readonly former: (id: string) => string;
  /** A record just after the event; for a removed one its last state. */
  readonly record: <R extends RecordBase>(id: string) => R | undefined;
}

/**
 * A summary for every event of a family: one plain English line without a full stop. It names records and people, but
 * never data that a reader of the record may not see.
 */
export type Summaries<Events> = {
  readonly [Type in keyof Events]: (context: SummaryContext, data: Events[Type]) => string;
};

/** `Ada renamed the group A to B`, or `Ada changed the group A` if the name did not change. */
export function changed({ actor, name, former }: SummaryContext, kind: string, id: string): string {
  const [before, after] = [former(id), name(id)];
  return before === after
    ? `${actor} changed the ${kind} ${after}`
    : `${actor} renamed the ${kind} ${before} to ${after}`;
}
