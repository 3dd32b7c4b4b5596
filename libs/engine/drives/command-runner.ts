import type { CommandDefinition } from '../../domain/foundation/decision.js';
import { resolveCaller } from '../../domain/access/caller.js';
import { isRefusal, type Refusal } from '../../domain/kernel/refusal.js';
import { FACTORY_ID } from '../fold/fold.js';
import type { KeyUse } from '../idempotency/recent-keys.js';
import { presentAgain, presentAllAgain } from '../idempotency/repeat.js';
import type { PastSource } from '../past/past.js';
import { repetition } from '../writer/decide-command.js';
import {
  type Call,
  type CommandOfMany,
  type CommandRequest,
  type CommandResult,
  isPending,
  isRefused,
  isRepeated,
  type Outcome,
  type Preparation,
  type QueuedCommand,
  Unavailable,
} from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import type { DrivesInMemory } from './drives-in-memory.js';
import type { ProcessRole } from './role.js';

interface Ready<Command, Answer> {
  readonly definition: CommandDefinition<Command, Answer>;
  readonly command: Command;
}

interface CommandRunnerOptions {
  readonly memory: DrivesInMemory;
  readonly past: PastSource;
  /** Aborted at shutdown: further commands are refused. */
  readonly stopping: AbortSignal;
  readonly role: ProcessRole;
  readonly exists: (drive_id: string) => Promise<boolean>;
  /** Folds in events of other processes after a revision; false if there were none. */
  readonly readOn: (drive_id: string, revision: number) => Promise<boolean>;
  /** Loads the drive without caching it. */
  readonly build: (drive_id: string) => Promise<Drive>;
  /** Discards resources of a drive that was not created. */
  readonly forget: (drive_id: string) => Promise<void>;
}

/** Placeholder definition of a transaction, whose steps have their own. */
const NO_COMMAND: CommandDefinition<never, never> = {
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

/** Puts the commands of requests into the queues of their drives and answers with their outcomes. */
export class CommandRunner {
  constructor(private readonly options: CommandRunnerOptions) {}

  /**
   * Runs a command. Resolves once its events are durable and visible in the read model, or once it is refused. A dry
   * run changes nothing. @throws Unavailable
   */
  async run<Command, Answer>(
    drive_id: string,
    definition: CommandDefinition<Command, Answer>,
    command: NoInfer<Command>,
    request: CommandRequest,
  ): Promise<Outcome<Answer>> {
    const [one] = queuedCommands([{ definition, command }], request);
    const result = await this.resultOnAll(drive_id, one!);
    return this.outcomeOf(drive_id, one!, result);
  }

  /**
   * Runs the commands of one request in order, each as its own transaction: a refused command does not stop the
   * others. They share an append if it holds them all; with an idempotency key they must, or all are refused.
   * Failures (Unavailable, a bug) affect single commands.
   */
  async runEach(
    drive_id: string,
    commands: readonly CommandOfMany[],
    request: CommandRequest,
  ): Promise<PromiseSettledResult<Outcome<unknown>>[]> {
    const all = queuedCommands(commands, request);
    // Always, not only after a refusal: the commands share an append and keep their order.
    await this.catchUp(drive_id);
    const results: PromiseSettledResult<CommandResult>[] = request.dry_run
      ? (await this.options.memory.hold(drive_id, (drive) => drive.dryRun(all))).map(fulfilled)
      : await Promise.allSettled(this.enqueue(await this.options.memory.openUsable(drive_id), all));
    const outcomes: PromiseSettledResult<Outcome<unknown>>[] = [];
    // In sequence: each may have to fold a past state.
    for (const [at, one] of results.entries()) {
      if (one.status === 'rejected') {
        outcomes.push(one);
        continue;
      }
      const answering = this.outcomeOf<unknown>(drive_id, all[at]!, one.value);
      outcomes.push(...(await Promise.allSettled([answering])));
    }
    return outcomes;
  }

  /** Reads the stored events of other processes. @throws Unavailable */
  async catchUp(drive_id: string): Promise<void> {
    if (!this.options.role.follows) return;
    const { head } = await this.options.memory.openUsable(drive_id);
    await this.options.readOn(drive_id, head.revision);
  }

  /**
   * Runs commands in order as one transaction; the answer is the list of their results. At the first refusal all are
   * rolled back. @throws Unavailable, and errors of a preparation
   */
  async transact(
    drive_id: string,
    steps: readonly Preparation[],
    request: CommandRequest,
  ): Promise<Outcome<readonly unknown[]>> {
    const all = {
      ...queuedCommands([{ definition: NO_COMMAND, command: null }], request)[0]!,
      steps,
    };
    for (;;) {
      const result = await this.resultOnAll(drive_id, all);
      if (!isPending(result)) return this.outcomeOf(drive_id, all, result);
      await result.pending;
    }
  }

  /**
   * Result of a request's only command. Before a refusal, or an acceptance that appends nothing, the drive reads all
   * stored events and decides again if there were any.
   */
  private async resultOnAll(drive_id: string, one: QueuedCommand): Promise<CommandResult> {
    const result = await this.resultOf(drive_id, one);
    const is_final =
      isPending(result) || isRepeated(result) || !(isRefused(result) || result.is_unchecked);
    if (is_final || !(await this.options.readOn(drive_id, result.revision))) return result;
    return this.resultOf(drive_id, one);
  }

  private resultOf(drive_id: string, one: QueuedCommand): Promise<CommandResult> {
    if (one.request.dry_run)
      return this.options.memory.hold(drive_id, async (drive) => (await drive.dryRun([one]))[0]!);
    const { memory } = this.options;
    const drive = memory.get(drive_id);
    if (drive) return this.enqueue(drive, [one])[0]!;
    return memory.openUsable(drive_id).then((opened) => this.enqueue(opened, [one])[0]!);
  }

  private outcomeOf<Answer>(
    drive_id: string,
    one: QueuedCommand,
    result: CommandResult,
  ): Outcome<Answer> | Promise<Outcome<Answer>> {
    if (isPending(result)) throw new Error('only the commands of a transaction may be pending');
    const outcome = isRepeated(result) ? this.presentAgain(drive_id, one, result.repeated) : result;
    return outcome as Outcome<Answer> | Promise<Outcome<Answer>>;
  }

  /**
   * The earlier answer of a request under its idempotency key; null if there is none. For requests that do more than
   * append; `run` checks by itself.
   */
  async recall<Command, Answer>(
    drive_id: string,
    definition: CommandDefinition<Command, Answer>,
    command: Command,
    request: CommandRequest,
  ): Promise<Outcome<Answer> | null> {
    return this.options.memory.readAtOnce(drive_id, (drive) => {
      const use = earlierUse(drive, request);
      if (!use) return null;
      if (isRefusal(use)) return { refusal: use, revision: drive.head.revision };
      const [one] = queuedCommands([{ definition, command }], request);
      return this.presentAgain(drive_id, one!, use) as Promise<Outcome<Answer>>;
    });
  }

  /** True if the caller of a request has used its idempotency key, for this body or another. */
  async hasUsedKey(drive_id: string, request: CommandRequest): Promise<boolean> {
    if (!request.idempotency) return false;
    return this.options.memory.readAtOnce(drive_id, (drive) => earlierUse(drive, request) !== null);
  }

  private presentAgain(
    drive_id: string,
    one: QueuedCommand,
    use: KeyUse,
  ): Promise<Outcome<unknown>> {
    const present = one.steps ? presentAllAgain : presentAgain;
    return this.options.memory.hold(drive_id, (drive) => {
      drive.noteAnswered(use.last);
      return present(this.options.past, drive, one, use);
    });
  }

  /**
   * Creates a drive, or returns the refusal of the existing one: first its own stream, then the factory event that
   * names it. A crash or a lost race in between leaves a stream without a drive.
   */
  async spawn<Spawn, Name, Answer>(
    drive_id: string,
    spawn: Ready<Spawn, Answer>,
    name: Ready<Name, unknown>,
    request: CommandRequest,
  ): Promise<Outcome<Answer>> {
    const { memory, exists, build, forget } = this.options;
    for (;;) {
      // The existing drive refuses the command on its own state; this code must not change anything.
      if (await exists(drive_id))
        return this.run(drive_id, spawn.definition, spawn.command, request);
      let outcome: Outcome<Answer> | undefined;
      const is_made_here = await memory.make(drive_id, async () => {
        let is_named = false;
        try {
          const drive = await build(drive_id);
          // A new stream has no earlier idempotency keys.
          outcome = (await this.enqueue(
            drive,
            queuedCommands([spawn], request),
          )[0]) as Outcome<Answer>;
          if (isRefused(outcome)) return null;
          const named = await this.run(FACTORY_ID, name.definition, name.command, request);
          if (isRefused(named)) {
            outcome = named;
            return null;
          }
          is_named = true;
          return drive;
        } finally {
          if (!is_named) await forget(drive_id);
        }
      });
      if (is_made_here) return outcome!;
    }
  }

  private enqueue(drive: Drive, all: readonly QueuedCommand[]): Promise<CommandResult>[] {
    if (this.options.stopping.aborted) throw new Unavailable('stopping');
    const calls: Call[] = [];
    const outcomes = all.map((one) => {
      const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
      calls.push({ ...one, resolve, fail: reject, conflicts: 0 });
      return promise;
    });
    drive.enqueue(calls);
    return outcomes;
  }
}

function queuedCommands(
  commands: readonly CommandOfMany[],
  request: CommandRequest,
): QueuedCommand[] {
  const common = { request, ...(commands.length > 1 && { result_bytes: [] }) };
  return commands.map(({ definition, command }, command_index) => ({
    ...common,
    definition: definition as CommandDefinition<unknown, unknown>,
    command,
    command_index,
  }));
}

/** The earlier use of a request's idempotency key by its caller. */
function earlierUse(drive: Drive, request: CommandRequest): KeyUse | Refusal | null {
  const now = drive.now();
  const caller = resolveCaller(drive.state, request.credential, now);
  return isRefusal(caller) ? null : repetition(request, drive.folded, caller, now);
}
