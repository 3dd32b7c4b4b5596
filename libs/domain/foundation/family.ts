import type { EventSchemas } from '../kernel/event.js';
import type { RefusalTexts } from '../kernel/refusal.js';
import type { FamilyDefinition, TableId } from '../kernel/record.js';
import type { Evolvers } from './evolver.js';
import type { ReadDefinition } from './reading.js';
import type { Records } from './state.js';
import type { Summaries } from './summary-context.js';

type NamedCommands = Readonly<Record<string, { readonly name: string }>>;

/** Everything the system knows about a family. The tables, events and commands of a drive follow from the list of all. */
export interface Family<
  Events,
  Name extends keyof Records,
  Commands extends NamedCommands = NamedCommands,
> {
  /** Definitions of its records by the name of their table. */
  readonly records: { readonly [N in Name]: FamilyDefinition<Records[N]> };
  /** System tables without records of their own. */
  readonly tables?: readonly TableId[];
  readonly events: EventSchemas<Events>;
  readonly evolve: Evolvers<Events>;
  readonly summaries: Summaries<Events>;
  readonly commands: Commands;
  /** How its records are read, by the name of their table; those that no `get` gives are shown in replays only. */
  readonly reads?: {
    readonly [N in Name]?:
      ReadDefinition<Records[N], object> | Pick<ReadDefinition<Records[N], object>, 'present'>;
  };
  /** True: its records are in the stream of the factory, never in one of a drive. */
  readonly of_factory?: boolean;
}

/** Public texts of a family's own refusals. */
export interface Refusing<Texts extends RefusalTexts> {
  readonly refusals: Texts;
}

/** A family, its bodies of events checked against each of its parts. */
export function family<Events>() {
  return <
    Name extends keyof Records,
    Commands extends NamedCommands,
    Texts extends RefusalTexts = {},
  >(
    value: Family<Events, Name, Commands> & Partial<Refusing<Texts>>,
  ): Family<Events, Name, Commands> & Partial<Refusing<Texts>> => value;
}

/** Records without events of their own: other families' events change them. */
export function records<Name extends keyof Records>(
  definitions: Family<unknown, Name>['records'],
  reads: Family<unknown, Name>['reads'] & object,
): Family<Record<never, never>, Name, {}> {
  return { records: definitions, reads, events: {}, evolve: {}, summaries: {}, commands: {} };
}
