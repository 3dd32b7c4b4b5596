import type { EventSchemas } from '../kernel/event.js';
import type { FamilyDefinition, RecordBase, TableId } from '../kernel/record.js';
import type { Evolvers } from './evolver.js';
import type { FamilyReads, RecordFamily } from './record-of.js';
import type { Records } from './state.js';
import type { Summaries } from './summary-context.js';

/** Everything the system knows about a family. The tables, events and commands of a drive follow from the list of all. */
export interface Family<Events, Name extends keyof Records> {
  /** Definitions of its records by the name of their table. */
  readonly records: { readonly [N in Name]: FamilyDefinition<Records[N]> };
  /** System tables without records of their own. */
  readonly tables?: readonly TableId[];
  readonly events: EventSchemas<Events>;
  readonly evolve: Evolvers<Events>;
  readonly summaries: Summaries<Events>;
  readonly commands: Readonly<Record<string, { readonly name: string }>>;
  /** Those of its records that carry labels and are found by external id. */
  readonly labelled?: readonly RecordFamily[];
}

/** A family, its bodies of events checked against each of its parts. */
export function family<Events>() {
  return <Name extends keyof Records>(value: Family<Events, Name>): Family<Events, Name> => value;
}

/** Records without events of their own: other families' events change them. */
export function records<Name extends keyof Records>(
  definitions: Family<unknown, Name>['records'],
): Family<Record<never, never>, Name> {
  return { records: definitions, events: {}, evolve: {}, summaries: {}, commands: {} };
}

/** @param is_directory true: directory permissions decide about these records, not system permissions */
export function labelled<R extends RecordBase>(
  reads: FamilyReads<R>,
  is_directory = false,
): RecordFamily {
  return { reads: reads as unknown as FamilyReads<RecordBase>, is_directory };
}
