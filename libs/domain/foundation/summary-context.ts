import type { RecordBase } from '../kernel/record.js';
import type { Opener } from '../kernel/sealed.js';

/** What a summary of an event may use beside the event's body: everything as of the event's moment. */
export interface SummaryContext {
  /** Name of the actor. */
  readonly actor: string;
  readonly open: Opener;
  /** What a record, a user or a table is called just after the event; what it removed, as before it. */
  readonly name: (id: string) => string;
  /** What it was called just before the event. */
  readonly former: (id: string) => string;
  /** A record just after the event; one that it removed, as before it. */
  readonly record: <R extends RecordBase>(id: string) => R | undefined;
}

/**
 * One plain English line for every event of a family, without a full stop. It names records and
 * people, and nothing that some who may read the record must not see.
 */
export type Summaries<Events> = {
  readonly [Type in keyof Events]: (context: SummaryContext, data: Events[Type]) => string;
};

/** `Ada renamed the group A to B`, or `Ada changed the group A` where the name is what it was. */
export function changed({ actor, name, former }: SummaryContext, kind: string, id: string): string {
  const [before, after] = [former(id), name(id)];
  return before === after
    ? `${actor} changed the ${kind} ${after}`
    : `${actor} renamed the ${kind} ${before} to ${after}`;
}
