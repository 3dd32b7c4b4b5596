import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Credential } from '../../domain/access/caller.js';
import type {
  CommandRequest,
  Outcome,
  Pending,
  Preparation,
  PreparedCommand,
} from '../../engine/call.js';
import { isRefused } from '../../engine/call.js';
import { Drives } from '../../engine/drives.js';
import type { Refusal } from '../../domain/kernel/refusal.js';
import {
  type Destination,
  type DriveCommand,
  isRefusedPreparation,
  makingOf,
} from '../drive-command.js';
import { generating } from '../fresh.js';

/** A command of a transaction as it came, its body not looked at yet. */
export interface TransactionStep {
  readonly body: unknown;
  readonly credential: Credential;
  readonly if_match: number | undefined;
  /** Makes the command from the body with all references resolved. Throws what the route would answer. */
  readonly command: (body: unknown) => DriveCommand<unknown, unknown>;
  /** Tells of a reference to a result that is not there. */
  readonly unresolved: (reference: string) => Error;
}

export interface TransactionAnswer {
  readonly results: readonly unknown[];
}

/** Commands of one drive, all of them or none. */
export class RunTransaction extends Command<Outcome<TransactionAnswer>> {
  constructor(
    readonly drive_id: string,
    readonly steps: readonly TransactionStep[],
    readonly request: CommandRequest,
  ) {
    super();
  }
}

@CommandHandler(RunTransaction)
export class RunTransactionHandler implements ICommandHandler<RunTransaction> {
  constructor(@Inject(Drives) private readonly drives: Drives) {}

  async execute({ drive_id, steps, request }: RunTransaction): Promise<Outcome<TransactionAnswer>> {
    const destination = { drives: this.drives, drive_id };
    const preparations = steps.map((step) => preparation(step, destination, request));
    const outcome = await this.drives.transact(drive_id, preparations, request);
    return isRefused(outcome) ? outcome : { ...outcome, data: { results: outcome.data } };
  }
}

/** Prepares a command once for each body it comes to have; ids and codes stay those of the first time. */
function preparation(
  step: TransactionStep,
  destination: Destination,
  { dry_run }: CommandRequest,
): Preparation {
  let known: { text: string; prepared: PreparedCommand | Refusal } | undefined;
  return (results): PreparedCommand | Refusal | Pending => {
    const body = resolved(step.body, results, step.unresolved);
    const text = JSON.stringify(body);
    if (known?.text === text) return known.prepared;
    const command = step.command(body);
    const { definition, prepare } = makingOf(command)!;
    const { credential, if_match } = step;
    const keep = (made: unknown): PreparedCommand | Refusal => {
      const prepared = isRefusedPreparation(made)
        ? made
        : { definition, command: made, credential, if_match };
      known = { text, prepared };
      return prepared;
    };
    const made = generating(dry_run, () => prepare(command.input, destination));
    return made instanceof Promise ? { pending: made.then(keep) } : keep(made);
  };
}

/** Fields begin with a letter, so that a price is a text like any other. */
const REFERENCE = /^\$(\d{1,2})(\.[a-z]\w*(?:\.\w+)*)$/i;

/** The body with every text like `$0.id` replaced by that member of an earlier result. */
function resolved(
  value: unknown,
  results: readonly unknown[],
  unresolved: (reference: string) => Error,
): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, results, unresolved));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, resolved(one, results, unresolved)]),
    );
  const [, index, path] = (typeof value === 'string' && REFERENCE.exec(value)) || [];
  if (path === undefined) return value;
  const names = path.slice(1).split('.');
  const found = names.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined,
    results[Number(index)],
  );
  if (found === undefined) throw unresolved(value as string);
  return found;
}
