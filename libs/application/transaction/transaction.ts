import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Provided } from '../providers.js';
import type { Credential } from '../../domain/access/caller.js';
import type {
  CommandRequest,
  Outcome,
  Pending,
  Preparation,
  PreparedCommand,
} from '../../engine/writer/call.js';
import { isPending, isRefused } from '../../engine/writer/call.js';
import { Drives } from '../../engine/drives/drives.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import { type Destination, preparationOf } from '../drive-command.js';
import { generating } from '../fresh.js';
import { References, ReferringBody } from './references.js';

interface TransactionCommand {
  readonly command: new (...args: never[]) => Command<Outcome<unknown>>;
  readonly input: unknown;
}

/** A command of a transaction request, before its body is parsed. */
export interface TransactionStep {
  /** Commands of one path have the same preparation, and the same rules of who may run them. */
  readonly path: string;
  readonly body: object;
  /** The declared fields of the body; references are replaced only in these. */
  readonly fields: ReadonlySet<string>;
  readonly credential: Credential;
  readonly if_match: number | undefined;
  /** Parses the body after its references are replaced. @throws the error that the route would answer */
  readonly read: (body: object) => TransactionCommand;
  /** The error for a reference to a missing result. */
  readonly unresolved: (reference: string) => Error;
  /** The error for a body that exceeds the limit after its references are replaced. */
  readonly too_long: () => Error;
  /** The error for references to results that differ each time the transaction is decided, such as times. */
  readonly unstable: () => Error;
}

/** Variants of one body that are prepared outside the queue; after each, the transaction is decided again. */
const MOST_VARIANTS = 5;

interface TransactionAnswer {
  readonly results: readonly unknown[];
}

/** Runs several commands of one drive atomically. */
export class RunTransaction extends Command<Outcome<TransactionAnswer>> {
  constructor(
    readonly drive_id: string,
    readonly steps: readonly TransactionStep[],
    readonly request: CommandRequest,
    /** Maximum bytes after references are replaced, for each body and for all together. */
    readonly body_limit_bytes: number,
  ) {
    super();
  }
}

@Provided
@CommandHandler(RunTransaction)
export class RunTransactionHandler implements ICommandHandler<RunTransaction> {
  constructor(@Inject(Drives) private readonly drives: Drives) {}

  async execute({
    drive_id,
    steps,
    request,
    body_limit_bytes,
  }: RunTransaction): Promise<Outcome<TransactionAnswer>> {
    const destination = { drives: this.drives, drive_id };
    const bodies = steps.map(({ body, fields }) => new ReferringBody(body, fields));
    const lengths = new BodyLengths(bodies, body_limit_bytes);
    const preparations = steps.map((step, at) =>
      preparation(step, bodies[at]!, (results) => lengths.fit(at, results), destination, request),
    );
    const ahead = preparations.map((prepare, at) =>
      preparingAhead(prepare, laterAlike(steps, preparations, at)),
    );
    const outcome = await this.drives.commands.transact(drive_id, ahead, request);
    return isRefused(outcome) ? outcome : { ...outcome, data: { results: outcome.data } };
  }
}

/** The lengths of a transaction's bodies after references are replaced. */
class BodyLengths {
  private readonly bytes: number[];

  constructor(
    private readonly bodies: readonly ReferringBody[],
    private readonly limit_bytes: number,
  ) {
    this.bytes = bodies.map(({ bytes }) => bytes);
  }

  /** True if a body and the sum with all earlier ones are within the limit. Call it in order. */
  fit(at: number, results: References): boolean {
    const body = this.bodies[at]!;
    // A body without references was already checked with the request.
    if (body.is_fixed) return true;
    this.bytes[at] = body.bytesWith(results, this.limit_bytes);
    const all = this.bytes.slice(0, at + 1).reduce((sum, one) => sum + one, 0);
    return all <= this.limit_bytes;
  }
}

/** References by list of results; the list grows while the transaction is decided. */
const referencesOf = new WeakMap<readonly unknown[], References>();

function referencesIn(results: readonly unknown[]): References {
  let references = referencesOf.get(results);
  if (!references) referencesOf.set(results, (references = new References(results)));
  return references;
}

/** Prepares a command once for each variant of its body; generated ids and codes stay those of the first. */
function preparation(
  step: TransactionStep,
  body: ReferringBody,
  fits: (results: References) => boolean,
  destination: Destination,
  { dry_run }: CommandRequest,
): Preparation {
  let known: { text: string; prepared: PreparedCommand | Refusal } | undefined;
  let variants = 0;
  return (results): PreparedCommand | Refusal | Pending => {
    const references = referencesIn(results);
    const unknown = body.unknownAmong(references);
    if (unknown !== undefined) throw step.unresolved(unknown);
    if (!fits(references)) throw step.too_long();
    const resolved = body.with(references);
    const text = body.is_fixed ? '' : JSON.stringify(resolved);
    if (known?.text === text) return known.prepared;
    if (variants === MOST_VARIANTS) throw step.unstable();
    const { command, input } = step.read(resolved);
    const { definition, prepare } = preparationOf(command)!;
    const { credential, if_match } = step;
    const keep = (made: object): PreparedCommand | Refusal => {
      const prepared = isRefusal(made) ? made : { definition, command: made, credential, if_match };
      known = { text, prepared };
      return prepared;
    };
    const made = generating(dry_run, () => prepare(input, destination));
    if (!(made instanceof Promise)) return keep(made);
    variants += 1;
    return { pending: made.then(keep) };
  };
}

/**
 * The later preparations of a command's path, if an earlier command has that path. Preparations can be expensive and
 * run before the permission check, so the first command of each path must be accepted before the others are prepared.
 */
function laterAlike(
  steps: readonly TransactionStep[],
  preparations: readonly Preparation[],
  at: number,
): readonly Preparation[] {
  const alike = steps.flatMap(({ path }, other) => (path === steps[at]!.path ? [other] : []));
  return alike[0] === at
    ? []
    : alike.filter((other) => other > at).map((one) => preparations[one]!);
}

/**
 * While one command is prepared outside the queue, prepares later ones too: after each such wait, the transaction is
 * decided again from its first command.
 */
function preparingAhead(prepare: Preparation, later: readonly Preparation[]): Preparation {
  return (results) => {
    const prepared = prepare(results);
    if (!isPending(prepared)) return prepared;
    return { pending: prepared.pending.then(() => prepareEach(later, results)) };
  };
}

/** One after the other: most of the work of a key derivation is done on this thread. */
async function prepareEach(
  preparations: readonly Preparation[],
  results: readonly unknown[],
): Promise<void> {
  for (const prepare of preparations) {
    try {
      const prepared = prepare(results);
      if (isPending(prepared)) await prepared.pending;
    } catch {
      // An earlier command may be refused first. Otherwise this one fails again when it is decided.
    }
  }
}
