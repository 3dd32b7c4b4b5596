import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContentLinks } from '../content/links.js';
import { Provided } from '../providers.js';
import { isRefusal, type Refusal, refuseField } from '../../domain/kernel/refusal.js';
import type { Context } from '../../domain/foundation/decision.js';
import { repetition } from '../../engine/writer/decide-command.js';
import type { CommandRequest, Outcome } from '../../engine/writer/call.js';
import { Drives } from '../../engine/drives/drives.js';
import { Webhooks } from '../../engine/webhooks/webhooks.js';
import { DriveQuery } from '../drive-query.js';
import { answerFrom, answerNow, type Reader } from '../read-record.js';
import { type ActionInput, answerRead, isRead } from './action-kinds.js';
import { type ActionsDone, notifyView, outcomeOf } from './action-outcomes.js';

interface ReadActionsInput {
  readonly actions: readonly ActionInput[];
  /** Null for a past point: such views notify no webhooks. */
  readonly request: Pick<CommandRequest, 'dry_run' | 'idempotency'> | null;
}

/** Answers requests of read actions only, from the current or a past state. */
export class ReadActions extends DriveQuery<ReadActionsInput, ActionsDone> {}

@Provided
@QueryHandler(ReadActions)
export class ReadActionsHandler implements IQueryHandler<ReadActions> {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Webhooks) private readonly webhooks: Webhooks,
    @Inject(ContentLinks) private readonly links: ContentLinks,
  ) {}

  async execute({ reader, input }: ReadActions): Promise<Outcome<ActionsDone>> {
    const { actions, request } = input;
    if (request?.idempotency) return this.executeKeyed(reader, input, request);
    return answerFrom(this.drives, reader, (context) => {
      // Beside others in the present, an invalid action only fails itself.
      const other = request ? -1 : actions.findIndex((action) => !isRead(action));
      if (other >= 0)
        return refuseField(`/actions/${other}/action`, 'must be GET_FILE or GET_FOLDER with as_of');
      return this.answer(reader, input, context);
    });
  }

  /** Reads are not stored under their idempotency key, but a key used by another request is refused. */
  private executeKeyed(
    reader: Reader,
    input: ReadActionsInput,
    request: Pick<CommandRequest, 'idempotency'>,
  ): Promise<Outcome<ActionsDone>> {
    return answerNow(this.drives, reader, (context, drive): Refusal | Promise<ActionsDone> => {
      const used = repetition(request, drive.folded, context.caller, context.now);
      if (used && isRefusal(used)) return used;
      return this.answer(reader, input, context);
    });
  }

  private async answer(
    { drive_id }: Reader,
    { actions, request }: ReadActionsInput,
    context: Context,
  ): Promise<ActionsDone> {
    const { revision } = context.state;
    // Read synchronously: the state may change while URLs are signed.
    const answers = actions.map((action) => answerRead(context, action));
    if (request && !request.dry_run)
      for (const answer of answers)
        if (!isRefusal(answer)) notifyView(this.webhooks, drive_id, answer);
    const signing = { open: context.open, links: this.links, is_dry: request?.dry_run ?? false };
    const outcomes = await Promise.all(answers.map((answer) => outcomeOf(answer, signing)));
    return { outcomes, revision, ...(request?.dry_run && { dry_run: [] }) };
  }
}
