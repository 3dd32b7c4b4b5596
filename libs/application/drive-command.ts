import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandDefinition, InputOf } from '../domain/foundation/decision.js';
import { isRefusal, type Refusal } from '../domain/kernel/refusal.js';
import type { CommandRequest, Outcome } from '../engine/writer/call.js';
import { Drives } from '../engine/drives/drives.js';
import { fresh } from './fresh.js';
import { Provided } from './providers.js';

/** A command for a drive: its input, and what the request contains beside it. */
export class DriveCommand<Input, Answer> extends Command<Outcome<Answer>> {
  constructor(
    readonly drive_id: string,
    readonly input: Input,
    readonly request: CommandRequest,
  ) {
    super();
  }
}

export type CommandClass<Input, Answer> = new (
  drive_id: string,
  input: Input,
  request: CommandRequest,
) => DriveCommand<Input, Answer>;

/** The drive that a command is for. */
export interface Destination {
  readonly drives: Drives;
  readonly drive_id: string;
}

/** Turns the input of a class of commands into the domain command, generated values included. */
export interface Preparation {
  readonly definition: CommandDefinition<unknown, unknown>;
  readonly prepare: (input: unknown, destination: Destination) => object | Promise<object>;
}

const preparations = new Map<unknown, Preparation>();
const classes = new WeakMap<object, unknown>();

/** The preparation of a class of commands; undefined for those with a handler of their own. */
export function preparationOf(command: object): Preparation | undefined {
  return preparations.get(command);
}

/**
 * Declares the class of a command, with its handler on the bus. The handler adds the generated values (ids, codes,
 * keys) and passes the command to the drive. Rules are in the domain.
 *
 * @param prepare derives the command from the input if they differ, or refuses; such a command is declared once
 * @throws Error if a command with `prepare` is declared again: one of the two preparations would be lost
 */
export function driveCommand<DomainCommand, Answer>(
  definition: CommandDefinition<DomainCommand, Answer>,
): CommandClass<InputOf<DomainCommand>, Answer>;
export function driveCommand<Input, DomainCommand, Answer>(
  definition: CommandDefinition<DomainCommand, Answer>,
  prepare: (
    input: Input,
    destination: Destination,
  ) => InputOf<DomainCommand> | Refusal | Promise<InputOf<DomainCommand> | Refusal>,
): CommandClass<Input, Answer>;
export function driveCommand<Answer>(
  definition: CommandDefinition<object, Answer>,
  derive?: (input: object, destination: Destination) => object | Promise<object>,
): CommandClass<object, Answer> {
  const { name, generate } = definition;
  const known = classes.get(definition);
  if (known && derive) throw new Error(`${name} is declared twice`);
  if (known) return known as CommandClass<object, Answer>;
  const withGenerated = (command: object): object =>
    generate && !isRefusal(command) ? { ...command, fresh: generate(fresh) } : command;
  const prepare = (input: object, destination: Destination): object | Promise<object> => {
    const derived = derive ? derive(input, destination) : input;
    return derived instanceof Promise
      ? derived.then((command: object) => withGenerated(command))
      : withGenerated(derived);
  };
  const named = { [name]: class extends DriveCommand<object, Answer> {} };
  const command = named[name]!;
  classes.set(definition, command);
  preparations.set(command, { definition, prepare } as unknown as Preparation);

  @CommandHandler(command)
  class DriveCommandHandler implements ICommandHandler<DriveCommand<object, Answer>> {
    constructor(@Inject(Drives) private readonly drives: Drives) {}

    async execute({
      drive_id,
      input,
      request,
    }: DriveCommand<object, Answer>): Promise<Outcome<Answer>> {
      const { drives } = this;
      const preparing = prepare(input, { drives, drive_id });
      const prepared = preparing instanceof Promise ? await preparing : preparing;
      if (isRefusal(prepared)) {
        const { head } = await drives.open(drive_id);
        return { refusal: prepared, revision: head.revision };
      }
      return drives.commands.run(drive_id, definition, prepared, request);
    }
  }
  Object.defineProperty(DriveCommandHandler, 'name', { value: `${name}Handler` });
  Provided(DriveCommandHandler);
  return command;
}
