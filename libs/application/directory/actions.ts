import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Provided } from '../providers.js';
import { fulfilled } from '../../engine/drives/command-runner.js';
import {
  type CommandRequest,
  type DecidedEvent,
  isRefused,
  type Outcome,
  type Refused,
  Unavailable,
} from '../../engine/writer/call.js';
import { Drives } from '../../engine/drives/drives.js';
import { Webhooks } from '../../engine/webhooks/webhooks.js';
import { answerNow } from '../read-record.js';
import { type ActionInput, answerRead, commandOf, isChange } from './action-kinds.js';
import { type ActionOutcome, type ActionsDone, noticeLook, outcomeOf } from './action-outcomes.js';
import { concealNames } from './conceal.js';

/** What became of one action in its drive's queue. */
type ActionResult = PromiseSettledResult<Outcome<unknown>>;

/**
 * Runs actions on files and folders in order, each its own transaction; refused as a whole where
 * something speaks against the request itself.
 */
export class RunActions extends Command<Outcome<ActionsDone>> {
  constructor(
    readonly drive_id: string,
    readonly actions: readonly ActionInput[],
    readonly request: CommandRequest,
  ) {
    super();
  }
}

@Provided
@CommandHandler(RunActions)
export class RunActionsHandler implements ICommandHandler<RunActions> {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Webhooks) private readonly webhooks: Webhooks,
  ) {}

  async execute({ drive_id, actions, request }: RunActions): Promise<Outcome<ActionsDone>> {
    return this.drives.hold(drive_id, async (drive) => {
      const ran = await this.drives.commands.runEach(drive_id, actions.map(commandOf), request);
      const running = await this.answerReads(drive_id, actions, request, ran);
      if (!request.dry_run) this.noticeLooks(drive_id, actions, running);
      const first = running[0]!;
      // Where all failed it is the drive that cannot answer.
      if (first.status === 'rejected' && running.every(({ status }) => status === 'rejected'))
        throw first.reason;
      const refused = refusedWhole(running, request);
      if (refused) return refused;
      const { open } = drive.keyring;
      const outcomes = running.map(async (settled): Promise<ActionOutcome> => {
        if (settled.status === 'rejected') return { failure: settled.reason as unknown };
        const { value } = settled;
        return outcomeOf(isRefused(value) ? value.refusal : (value.data as object), open);
      });
      const revision = Math.max(...running.map(revisionOf));
      const dry_run = request.dry_run && {
        dry_run: await concealNames(drive, request, running.flatMap(decidedBy)),
      };
      const data = { outcomes: await Promise.all(outcomes), revision, ...dry_run };
      return { data, revision, ...(running.some(isRepeat) && { is_repeated: true as const }) };
    });
  }

  /**
   * Answers the reads among actions that the drive could not run: what cannot be written can be read.
   * They see what the actions before them did, which is nothing.
   */
  private async answerReads(
    drive_id: string,
    actions: readonly ActionInput[],
    { credential }: CommandRequest,
    ran: readonly ActionResult[],
  ): Promise<readonly ActionResult[]> {
    const fails = (at: number): boolean => !isChange(actions[at]!) && isUnavailable(ran[at]!);
    if (!ran.some((_, at) => fails(at))) return ran;
    return Promise.all(
      ran.map(async (settled, at): Promise<ActionResult> => {
        if (!fails(at)) return settled;
        const reader = { drive_id, credential };
        const answering = answerNow<unknown>(this.drives, reader, (context) =>
          answerRead(context, actions[at]!),
        );
        return answering.then(fulfilled, () => settled);
      }),
    );
  }

  private noticeLooks(
    drive_id: string,
    actions: readonly ActionInput[],
    running: readonly ActionResult[],
  ): void {
    for (const [at, settled] of running.entries()) {
      if (isChange(actions[at]!) || settled.status === 'rejected') continue;
      const { value } = settled;
      // What is only told again was looked at before.
      if (isRefused(value) || value.is_repeated) continue;
      noticeLook(this.webhooks, drive_id, value.data);
    }
  }
}

/**
 * The refusal of a request as a whole, which each of its actions meets alike: its caller's, its
 * idempotency key's, or that of its size where a key makes one append of it.
 */
function refusedWhole(
  running: readonly ActionResult[],
  { idempotency }: CommandRequest,
): Refused | null {
  const refusals = running.map((settled) =>
    settled.status === 'fulfilled' && isRefused(settled.value) ? settled.value : null,
  );
  const [first] = refusals;
  if (!first) return null;
  const { refusal } = first.refusal;
  const is_whole =
    refusal === 'unauthenticated' ||
    refusal === 'idempotency-key-reused' ||
    (refusal === 'too-large' && idempotency !== null);
  return is_whole && refusals.every((one) => one?.refusal.refusal === refusal) ? first : null;
}

function isUnavailable(settled: ActionResult): boolean {
  return settled.status === 'rejected' && settled.reason instanceof Unavailable;
}

function revisionOf(settled: ActionResult): number {
  return settled.status === 'fulfilled' ? settled.value.revision : -1;
}

function isRepeat(settled: ActionResult): boolean {
  return settled.status === 'fulfilled' && 'is_repeated' in settled.value;
}

function decidedBy(settled: ActionResult): readonly DecidedEvent[] {
  if (settled.status === 'rejected' || isRefused(settled.value)) return [];
  return settled.value.dry_run ?? [];
}
