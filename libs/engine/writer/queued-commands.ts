import type { CommandDefinition } from '../../domain/foundation/decision.js';
import type { QueuedCommand, CommandOfMany, CommandRequest } from './call.js';

/** Stands where a transaction has its own commands. */
export const NO_COMMAND: CommandDefinition<never, never> = {
  name: '',
  decide() {
    throw new Error('a transaction is decided command by command');
  },
  answer() {
    throw new Error('a transaction is answered command by command');
  },
};

export function fulfilled<T>(value: T): PromiseFulfilledResult<T> {
  return { status: 'fulfilled', value };
}

/** Commands of one request, each at its place. */
export function asked(
  commands: readonly CommandOfMany[],
  request: CommandRequest,
): QueuedCommand[] {
  return commands.map(({ definition, command }, command_index) => ({
    definition: definition as CommandDefinition<unknown, unknown>,
    command,
    request,
    command_index,
  }));
}
