import type { CommandDefinition, Decider } from './decision.js';
import { flag, type Shown, text, view } from '../kernel/view.js';

/** The answer of a deletion. */
export const deletedView = view('Deleted', {
  id: text(),
  deleted: flag<true>({ example: true }),
});
export type Deleted = Shown<typeof deletedView>;

/** Defines a command that deletes a record by its id. */
export function deletion<Command extends { readonly id: string }>(
  name: string,
  decide: Decider<Command>,
): CommandDefinition<Command, Deleted> {
  return { name, decide, answer: (_, { id }) => ({ id, deleted: true }) };
}
