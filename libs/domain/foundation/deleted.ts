import type { CommandDefinition, Decider } from './decision.js';

/** Answer of deletions. */
export interface Deleted {
  id: string;
  deleted: true;
}

/** The command that deletes the record it names by its id. */
export function deletion<Command extends { readonly id: string }>(
  name: string,
  decide: Decider<Command>,
): CommandDefinition<Command, Deleted> {
  return { name, decide, answer: (_, { id }) => ({ id, deleted: true }) };
}
