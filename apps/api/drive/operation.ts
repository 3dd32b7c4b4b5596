import type { Command } from '@nestjs/cqrs';
import { type CommandClass, preparationOf } from '../../../libs/application/drive-command.js';
import type { CommandRequest, Outcome } from '../../../libs/engine/writer/call.js';
import type { Class } from '../platform/requests/rule.js';
import type { Settings } from '../platform/settings/settings.js';

/** A command with what it is to do. */
export interface Told<Answer> {
  readonly command: new (
    drive_id: string,
    input: never,
    request: CommandRequest,
  ) => Command<Outcome<Answer>>;
  readonly input: unknown;
}

/** A command as clients ask for it. It may stand in a transaction. */
export interface Operation<Body extends object, Answer> {
  /** Below the organization's id; the first is the name, the others are aliases. */
  readonly paths: readonly string[];
  readonly body: Class<Body>;
  /** True: a code in the body is the proof, and tokens are not looked at. */
  readonly by_code: boolean;
  /** What a body asks for; null if it is no command. @throws ApiError */
  readonly read: (body: Body, settings: Settings) => Told<Answer> | null;
}

const operations = new Map<string, Operation<object, unknown>>();

/** The operation at a path below the organization's id; undefined if no transaction takes it. */
export function operationAt(path: string): Operation<object, unknown> | undefined {
  return operations.get(path);
}

/**
 * Declares an operation: its path (or its paths, where it has aliases), its body, and the command that
 * it sends.
 *
 * @param inputOf what the command is to do, where that is not the body as it is
 */
export function operation<Input, Answer, Body extends object & Input>(
  path: string | readonly [string, ...string[]],
  body: Class<Body>,
  command: CommandClass<Input, Answer>,
): Operation<Body, Answer>;
export function operation<Input, Answer, Body extends object>(
  path: string | readonly [string, ...string[]],
  body: Class<Body>,
  command: CommandClass<Input, Answer>,
  inputOf: (body: Body, settings: Settings) => NoInfer<Input>,
): Operation<Body, Answer>;
export function operation<Input, Answer, Body extends object>(
  path: string | readonly [string, ...string[]],
  body: Class<Body>,
  command: CommandClass<Input, Answer>,
  inputOf: (body: Body, settings: Settings) => unknown = (read) => read,
): Operation<Body, Answer> {
  const paths = typeof path === 'string' ? [path] : path;
  requirePreparation(command);
  const read = (from: Body, settings: Settings): Told<Answer> =>
    told(command, inputOf(from, settings) as Input);
  return declare({ paths, body, by_code: false, read });
}

/** As `operation`, for one whose body holds a code that is the proof: tokens are not looked at. */
export function operationByCode<Input, Answer, Body extends object & Input>(
  path: string,
  body: Class<Body>,
  command: CommandClass<Input, Answer>,
): Operation<Body, Answer> {
  requirePreparation(command);
  return declare({ paths: [path], body, by_code: true, read: (from) => told(command, from) });
}

/** As `operation`, for one that is one command or another, or none, as its body says. */
export function operationOf<Answer, Body extends object>(
  path: string,
  body: Class<Body>,
  read: (body: Body) => Told<Answer> | null,
): Operation<Body, Answer> {
  return declare({ paths: [path], body, by_code: false, read });
}

/** A command with what it is to do. */
export function told<Input, Answer>(
  command: CommandClass<Input, Answer>,
  input: NoInfer<Input>,
): Told<Answer> {
  requirePreparation(command);
  return { command, input };
}

/** What a handler of its own runs does more than append, and cannot be undone with the rest. */
function requirePreparation(command: Told<unknown>['command']): void {
  if (!preparationOf(command)) throw new Error(`${command.name} cannot stand in a transaction`);
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
