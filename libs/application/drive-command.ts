import { Inject, type Type } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandDefinition } from '../domain/drive/decision.js';
import type { CommandRequest, Outcome } from '../engine/call.js';
import { Drives } from '../engine/drives.js';

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

/**
 * The handler of one command: adds the generated values (ids, codes, keys) and what only the store
 * knows, and passes it to the drive. Rules live in the domain.
 */
export function driveCommandHandler<Input, DomainCommand, Answer>(
  command: Type<DriveCommand<Input, Answer>>,
  definition: CommandDefinition<DomainCommand, Answer>,
  prepare: (input: Input, destination: Destination) => DomainCommand | Promise<DomainCommand>,
): Type<ICommandHandler> {
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
      return drives.run(drive_id, definition, prepared, request);
    }
  }
  Object.defineProperty(DriveCommandHandler, 'name', { value: `${command.name}Handler` });
  return DriveCommandHandler;
}
