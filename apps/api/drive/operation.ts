import type { Command } from '@nestjs/cqrs';
import {
  type CommandClass,
  driveCommand,
  preparationOf,
} from '../../../libs/application/drive-command.js';
import type { CommandDefinition, InputOf } from '../../../libs/domain/foundation/decision.js';
import type { CommandRequest, Outcome } from '../../../libs/engine/writer/call.js';
import type { Class } from '../platform/requests/rule.js';
import type { Settings } from '../platform/settings/settings.js';

/** A command class and the input of one call. */
export interface CommandWithInput<Answer> {
  readonly command: new (
    drive_id: string,
    input: never,
    request: CommandRequest,
  ) => Command<Outcome<Answer>>;
  readonly input: unknown;
}

/** An API operation that runs a command. Transactions accept it too. */
export interface Operation<Body extends object, Answer> {
  /** Paths below the organization's id: the name, then its aliases. */
  readonly paths: readonly string[];
  readonly body: Class<Body>;
  /** True: a code in the body authenticates the request, and tokens are ignored. */
  readonly by_code: boolean;
  /** The command for a body; null if the body asks for a read. @throws ApiError */
  readonly read: (body: Body, settings: Settings) => CommandWithInput<Answer> | null;
}

const operations = new Map<string, Operation<object, unknown>>();

/** The operation at a path below the organization's id; undefined if transactions do not accept it. */
export function operationAt(path: string): Operation<object, unknown> | undefined {
  return operations.get(path);
}

/** What an operation runs: a class of commands, or a command's definition. */
type Target<Input, Answer> = CommandClass<Input, Answer> | CommandDefinition<Input, Answer>;

/**
 * Declares an operation: its path (or paths, if it has aliases), its body and its command.
 *
 * @param inputOf the command's input, if it differs from the body
 */
export function operation<Input, Answer, Body extends object & InputOf<Input>>(
  path: string | readonly [string, ...string[]],
  body: Class<Body>,
  target: Target<Input, Answer>,
): Operation<Body, Answer>;
export function operation<Input, Answer, Body extends object>(
  path: string | readonly [string, ...string[]],
  body: Class<Body>,
  target: Target<Input, Answer>,
  inputOf: (body: Body, settings: Settings) => NoInfer<InputOf<Input>>,
): Operation<Body, Answer>;
export function operation<Input, Answer, Body extends object>(
  path: string | readonly [string, ...string[]],
  body: Class<Body>,
  target: Target<Input, Answer>,
  inputOf: (body: Body, settings: Settings) => unknown = (read) => read,
): Operation<Body, Answer> {
  const paths = typeof path === 'string' ? [path] : path;
  const command = typeof target === 'function' ? target : driveCommand(target);
  requirePreparation(command);
  const read = (from: Body, settings: Settings): CommandWithInput<Answer> => ({
    command,
    input: inputOf(from, settings),
  });
  return declare({ paths, body, by_code: false, read });
}

/** Like `operation`, but a code in the body authenticates the request, and tokens are ignored. */
export function operationByCode<Input, Answer, Body extends object & Input>(
  path: string,
  body: Class<Body>,
  command: CommandClass<Input, Answer>,
): Operation<Body, Answer> {
  requirePreparation(command);
  return declare({ paths: [path], body, by_code: true, read: (from) => withInput(command, from) });
}

/** Like `operation`, but the body decides which command runs, if any. */
export function operationOf<Answer, Body extends object>(
  path: string,
  body: Class<Body>,
  read: (body: Body) => CommandWithInput<Answer> | null,
): Operation<Body, Answer> {
  return declare({ paths: [path], body, by_code: false, read });
}

/** Pairs a command class with the input of one call. */
export function withInput<Input, Answer>(
  command: CommandClass<Input, Answer>,
  input: NoInfer<Input>,
): CommandWithInput<Answer> {
  requirePreparation(command);
  return { command, input };
}

/** Transactions only take commands that prepare and append: other side effects cannot be rolled back. */
function requirePreparation(command: CommandWithInput<unknown>['command']): void {
  if (!preparationOf(command)) throw new Error(`${command.name} cannot be part of a transaction`);
}

function declare<Answer, Body extends object>(
  declared: Operation<Body, Answer>,
): Operation<Body, Answer> {
  for (const path of declared.paths) {
    if (operations.has(path)) throw new Error(`${path} is declared twice`);
    operations.set(path, declared as unknown as Operation<object, unknown>);
  }
  return declared;
}
