import { Inject, type Type } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandDefinition } from '../domain/foundation/decision.js';
import { isRefusal, type Refusal } from '../domain/kernel/refusal.js';
import type { CommandRequest, Outcome } from '../engine/writer/call.js';
import { Drives } from '../engine/drives/drives.js';

/** A command on its way to a drive: whose drive, what is asked, and what the request brought along. */
export class DriveCommand<Input, Answer> extends Command<Outcome<Answer>> {
  constructor(
    readonly drive_id: string,
    readonly input: Input,
    readonly request: CommandRequest,
  ) {
    super();
  }
}

/** The drive that a command is for. */
export interface Destination {
  readonly drives: Drives;
  readonly drive_id: string;
}

/** How a command is prepared and decided, for every caller. */
export interface CommandMaking {
  readonly definition: CommandDefinition<unknown, unknown>;
  readonly prepare: (input: unknown, destination: Destination) => unknown;
}

const makings = new Map<unknown, CommandMaking>();

/** How a class of commands is made; undefined for those that a handler of their own runs. */
export function makingOf(command: object): CommandMaking | undefined {
  return makings.get(command);
}

/**
 * The handler of one command: adds the generated values (ids, codes, keys) and what only the store
 * knows, and passes it to the drive. Rules live in the domain.
 */
export function driveCommandHandler<Input, DomainCommand, Answer>(
  command: Type<DriveCommand<Input, Answer>>,
  definition: CommandDefinition<DomainCommand, Answer>,
  prepare: (
    input: Input,
    destination: Destination,
  ) => DomainCommand | Refusal | Promise<DomainCommand | Refusal>,
): Type<ICommandHandler> {
  makings.set(command, { definition, prepare } as unknown as CommandMaking);
  @CommandHandler(command)
  class DriveCommandHandler implements ICommandHandler<DriveCommand<Input, Answer>> {
    constructor(@Inject(Drives) private readonly drives: Drives) {}

    async execute({
      drive_id,
      input,
      request,
    }: DriveCommand<Input, Answer>): Promise<Outcome<Answer>> {
      const { drives } = this;
      const prepared = await prepare(input, { drives, drive_id });
      if (isRefusedPreparation(prepared)) {
        const { head } = await drives.open(drive_id);
        return { refusal: prepared, revision: head.revision };
      }
      return drives.commands.run(drive_id, definition, prepared, request);
    }
  }
  Object.defineProperty(DriveCommandHandler, 'name', { value: `${command.name}Handler` });
  return DriveCommandHandler;
}

/** Preparing may find that the input stands for nothing. */
export function isRefusedPreparation(prepared: unknown): prepared is Refusal {
  return typeof prepared === 'object' && prepared !== null && isRefusal(prepared);
}
