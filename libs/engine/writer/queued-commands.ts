import type { CommandDefinition } from '../../domain/foundation/decision.js';
import type { QueuedCommand, CommandOfMany, CommandRequest } from './call.js';

/** Placeholder definition of a transaction, whose steps have their own. */
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

/** The queued commands of one request. */
export function queuedCommands(
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
