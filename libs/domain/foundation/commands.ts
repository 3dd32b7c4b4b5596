import { atOnce } from '../kernel/steps.js';
import type { CommandDefinition, Decider, SteppedDecider } from './decision.js';
import type { Fresh } from './fresh.js';

/** A definition without its name, which is that under which its family lists it. */
export type Unnamed<Command, Answer> = Omit<CommandDefinition<Command, Answer>, 'name'>;

/** A command that needs only the id of a record. */
export interface ById {
  readonly id: string;
}

type CommandParts<Command, Answer> = Omit<
  Unnamed<Command, Answer>,
  'decide' | 'deciding' | 'generate'
> & {
  readonly generate?: (
    fresh: Fresh,
  ) => Command extends { readonly fresh?: infer Values } ? Values & object : never;
};

/** Defines a command by its decider, its answer, and the values to generate for it. */
export function decidedBy<Command, Answer>(
  decide: Decider<Command>,
  parts: CommandParts<Command, Answer>,
): Unnamed<Command, Answer> {
  return { decide, ...parts };
}

/** The same for a decision in steps. */
export function decidedInSteps<Command, Answer>(
  deciding: SteppedDecider<Command>,
  parts: CommandParts<Command, Answer>,
): Unnamed<Command, Answer> {
  return { decide: (...given) => atOnce(deciding(...given)), deciding, ...parts };
}

type Named<Definitions> = {
  readonly [Name in keyof Definitions]: Definitions[Name] & { readonly name: Name };
};

/** The commands of a family. Each has the name under which it is listed; events are stored with it. */
export function namedCommands<
  Definitions extends Readonly<Record<string, Unnamed<never, unknown>>>,
>(definitions: Definitions): Named<Definitions> {
  const all = Object.entries(definitions).map(([name, one]) => [name, { name, ...one }] as const);
  return Object.fromEntries(all) as unknown as Named<Definitions>;
}
