import type { RecordBase } from '../kernel/record.js';
import type { RecordChange } from '../kernel/undo-log.js';
import type { Context, Via } from '../foundation/decision.js';
import { type IsHidden, type Naming, resourceName } from './names.js';
import { FAMILIES } from './families.js';
import { RECORD_KINDS } from './record-kinds.js';
import type { SummaryContext } from '../foundation/summary-context.js';

const by_type = new Map(FAMILIES.flatMap(({ summaries }) => Object.entries(summaries)));

/** The summary of an event, as one plain English line. */
export function summarize(context: SummaryContext, type: string, data: unknown): string {
  const summary = by_type.get(type);
  // A newer release wrote the event, so this one does not know its content.
  return summary ? summary(context, data) : summarizeType(context, type);
}

/** The summary of an event without its content. */
export function summarizeType({ actor }: Pick<SummaryContext, 'actor'>, type: string): string {
  return `${actor} did something of the type ${type}`;
}

/** The actor of an event, as stored with it. */
export interface Actor {
  readonly user_id: string | null;
  readonly via: string;
}

/** Callers without an identity. */
const NAMELESS: Readonly<Partial<Record<Via, string>>> = {
  SYSTEM: 'The service',
  FACTORY: 'The factory',
  REDEEM_CODE: 'A holder of a code',
};

/**
 * The context of an event's summary, from the state just after the event and the records that it changed. A cascade may
 * remove records that the summary names; those are looked up in their last state. Hidden records are shown by kind
 * only.
 */
export function summaryContextOf(
  { state, open }: Pick<Context, 'state' | 'open'>,
  actor: Actor,
  changes: readonly RecordChange[],
  isHidden?: IsHidden,
): SummaryContext {
  const before = new Map<string, RecordBase | undefined>();
  for (const { definition, id, before: was } of changes)
    before.set(`${definition.name}\t${id}`, was);
  const removed: Naming['find'] = (family, id) => before.get(`${family}\t${id}`);
  const now: Naming['find'] = (family, id) => state.table(family)?.get(id) ?? removed(family, id);
  const then: Naming['find'] = (family, id) => removed(family, id) ?? now(family, id);
  const name = (id: string): string => resourceName({ find: now, open, isHidden }, id);
  return {
    actor: actorName(actor, name),
    open,
    name,
    former: (id) => resourceName({ find: then, open, isHidden }, id),
    record: <R extends RecordBase>(id: string) =>
      now(RECORD_KINDS.familyOf(id) ?? '', id) as R | undefined,
  };
}

function actorName({ user_id, via }: Actor, name: (id: string) => string): string {
  if (user_id !== null) return name(user_id);
  return NAMELESS[via as Via] ?? 'Somebody';
}
