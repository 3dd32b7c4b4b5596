import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ContentLinks } from '../content/links.js';
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
import { DriveCommand } from '../drive-command.js';
import { answerNow } from '../read-record.js';
import { type ActionInput, answerRead, commandOf, isChange } from './action-kinds.js';
import {
  type ActionOutcome,
  type ActionsDone,
  notifyView,
  outcomeOf,
  type Signing,
} from './action-outcomes.js';
import { BucketUploads } from './bucket-uploads.js';

/** The result of one action in its drive's queue. */
type ActionResult = PromiseSettledResult<Outcome<unknown>>;

/**
 * Runs actions on files and folders in order, each in its own transaction. If the request itself is invalid, it is
 * refused as a whole.
 */
export class RunActions extends DriveCommand<readonly ActionInput[], ActionsDone> {}

@Provided
@CommandHandler(RunActions)
export class RunActionsHandler implements ICommandHandler<RunActions> {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Webhooks) private readonly webhooks: Webhooks,
    @Inject(ContentLinks) private readonly links: ContentLinks,
    @Inject(BucketUploads) private readonly uploads: BucketUploads,
  ) {}

  async execute({ drive_id, input: actions, request }: RunActions): Promise<Outcome<ActionsDone>> {
    return this.drives.hold(drive_id, async (drive) => {
      const checked = await this.uploads.confirm(drive_id, actions, request);
      const results = await this.drives.commands.runEach(drive_id, checked.map(commandOf), request);
      const answered = await this.answerReads(drive_id, actions, request, results);
      if (!request.dry_run) this.notifyViews(drive_id, actions, answered);
      const first = answered[0]!;
      // If all actions failed, the drive itself is unavailable.
      if (first.status === 'rejected' && answered.every(({ status }) => status === 'rejected'))
        throw first.reason;
      const refused = refusedWhole(answered, request);
      if (refused) return refused;
      const { open } = drive.keyring;
      const signing = { open, links: this.links, is_dry: request.dry_run ?? false };
      const outcomes: ActionOutcome[] = [];
      // One after another: all at once, the signatures of others would wait for a hundred.
      for (const result of answered) outcomes.push(await presented(result, signing));
      const revision = Math.max(...answered.map(revisionOf));
      const data = {
        outcomes,
        revision,
        ...(request.dry_run && { dry_run: answered.flatMap(decidedBy) }),
      };
      return { data, revision, ...(answered.some(isRepeat) && { is_repeated: true as const }) };
    });
  }

  /**
   * Answers read actions that failed because the drive accepts no writes. Earlier actions had no effect, so the current
   * state is the right one to read.
   */
  private async answerReads(
    drive_id: string,
    actions: readonly ActionInput[],
    { credential }: CommandRequest,
    results: readonly ActionResult[],
  ): Promise<readonly ActionResult[]> {
    const fails = (at: number): boolean => !isChange(actions[at]!) && isUnavailable(results[at]!);
    if (!results.some((_, at) => fails(at))) return results;
    return Promise.all(
      results.map(async (result, at): Promise<ActionResult> => {
        if (!fails(at)) return result;
        const reader = { drive_id, credential };
        const answering = answerNow<unknown>(this.drives, reader, (context) =>
          answerRead(context, actions[at]!),
        );
        return answering.then(fulfilled, () => result);
      }),
    );
  }

  private notifyViews(
    drive_id: string,
    actions: readonly ActionInput[],
    answered: readonly ActionResult[],
  ): void {
    for (const [at, result] of answered.entries()) {
      if (isChange(actions[at]!) || result.status === 'rejected') continue;
      const { value } = result;
      // The first answer has already notified webhooks of the view.
      if (isRefused(value) || value.is_repeated) continue;
      notifyView(this.webhooks, drive_id, value.data);
    }
  }
}

async function presented(result: ActionResult, signing: Signing): Promise<ActionOutcome> {
  if (result.status === 'rejected') return { failure: result.reason as unknown };
  const { value } = result;
  return outcomeOf(isRefused(value) ? value.refusal : (value.data as object), signing);
}

/**
 * The refusal of a request as a whole, which all its actions share: for its caller, for its idempotency key, or for its
 * size if a key combines its actions in one append.
 */
function refusedWhole(
  answered: readonly ActionResult[],
  { idempotency }: CommandRequest,
): Refused | null {
  const refusals = answered.map((result) =>
    result.status === 'fulfilled' && isRefused(result.value) ? result.value : null,
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

function isUnavailable(result: ActionResult): boolean {
  return result.status === 'rejected' && result.reason instanceof Unavailable;
}

function revisionOf(result: ActionResult): number {
  return result.status === 'fulfilled' ? result.value.revision : -1;
}

function isRepeat(result: ActionResult): boolean {
  return result.status === 'fulfilled' && 'is_repeated' in result.value;
}

function decidedBy(result: ActionResult): readonly DecidedEvent[] {
  if (result.status === 'rejected' || isRefused(result.value)) return [];
  return result.value.dry_run ?? [];
}
