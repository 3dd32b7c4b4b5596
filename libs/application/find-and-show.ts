import { setTimeout as after } from 'node:timers/promises';
import { resolveCaller } from '../domain/access/caller.js';
import type { Context } from '../domain/foundation/decision.js';
import { isRefusal, type Refusal } from '../domain/kernel/refusal.js';
import { Unavailable } from '../engine/writer/call.js';
import type { Drive } from '../engine/writer/drive.js';
import type { Drives } from '../engine/drives/drives.js';
import { stateSource } from '../engine/read-models/source.js';
import type { Reads } from '../read-model/memory/state-reads.js';
import type { Document, DocumentKey, Page } from '../read-model/port.js';
import { readScopeOf, type ReadScope } from './read-scope.js';
import { type Answering, answerFrom, type Reader } from './read-record.js';
import type { PageKeeper } from './views.js';

const LONGEST_PAUSE_MS = 50;

/** A question whose records the read model finds. */
export interface Finding<Query, Item, Named, Answer> {
  /** What to look for, as the caller may see it; a refusal if there is nothing to ask. */
  readonly query: (context: Context, read_scope: ReadScope) => Query | Refusal;
  readonly find: {
    /** Beside the state. */
    (reads: Reads, query: Query): Promise<Page<Item>>;
    /** Elsewhere: names alone. */
    (reads: Reads<DocumentKey>, query: Query): Promise<Page<Named>>;
  };
  readonly show: (
    context: Context,
    read_scope: ReadScope,
    page: Page<Item>,
    query: Query,
  ) => Answer;
  /**
   * Where the answer is kept as long as nothing changes, if it may be: one that is there is given without a question.
   */
  readonly keeper?: (context: Context, read_scope: ReadScope) => PageKeeper<Answer> | undefined;
  /**
   * The item of what was found elsewhere, with the state's record; null if the caller may not see that one. The state need not
   * stand where the read model did.
   */
  readonly inState: (
    context: Context,
    named: Named,
    record: (key: DocumentKey) => Document | undefined,
  ) => Item | null;
}

/**
 * Answers a question from the records that the read model finds. A read model of this process stands where
 * the state does, and so does one of the past. One that outlives processes only finds: names, contents
 * and what the caller may see come from one state, at or past what was found, asked about after that.
 */
export function findAndShow<Query extends object, Item, Named, Answer>(
  drives: Drives,
  reader: Reader,
  finding: Finding<Query, Item, Named, Answer>,
): Answering<Answer> {
  if (drives.read_model.durable && !reader.past) return showFromState(drives, reader, finding);
  return answerFrom(drives, reader, (context, read_scope) => {
    const keeper = finding.keeper?.(context, read_scope);
    if (keeper?.kept !== undefined) return keeper.kept;
    const query = finding.query(context, read_scope);
    if (isRefusal(query)) return query;
    return finding.find(read_scope.read_model!, query).then((page) => {
      const answer = finding.show(context, read_scope, page, query);
      keeper?.keep(answer);
      return answer;
    });
  });
}

function showFromState<Query extends object, Item, Named, Answer>(
  drives: Drives,
  reader: Reader,
  finding: Finding<Query, Item, Named, Answer>,
): Answering<Answer> {
  return drives.read(reader.drive_id, async (drive) => {
    const found = await findUpToDate(drives, drive, reader, finding);
    if ('refusal' in found) return found;
    const { page, asked_at } = found;
    if (page.revision > drive.head.revision) await drive.follow();
    await drive.durable();
    // From here on nothing is waited for: one state answers.
    const now = askNow(drives, drive, reader, finding);
    if ('refusal' in now) return now;
    const { context, read_scope, query } = now;
    const source = stateSource(context.state, context.open);
    const record = ({ family, id }: DocumentKey): Document | undefined =>
      source.document(family, id);
    const items = page.items
      .map((named) => finding.inState(context, named, record))
      .filter((item) => item !== null);
    const data = finding.show(context, read_scope, { ...page, items }, query);
    return { data, revision: Math.min(asked_at, page.revision) };
  });
}

/** Asks until the read model shows what this process has acknowledged. @throws Unavailable `read-model-behind` */
async function findUpToDate<Query extends object, Item, Named, Answer>(
  drives: Drives,
  drive: Drive,
  reader: Reader,
  finding: Finding<Query, Item, Named, Answer>,
): Promise<{ page: Page<Named>; asked_at: number } | { refusal: Refusal; revision: number }> {
  const deadline = performance.now() + drives.limits.projection_wait_ms;
  // A drive that exists has a first event at least.
  const needed = Math.max(0, drive.answered_revision);
  for (let pause_ms = 1; ; pause_ms = Math.min(2 * pause_ms, LONGEST_PAUSE_MS)) {
    await drive.durable();
    const asked_at = drive.head.revision;
    const asked = askNow(drives, drive, reader, finding);
    if ('refusal' in asked) return asked;
    // One short question where something was appended since the last answer; what is at rest is asked at once.
    if (drive.found_revision < asked_at) await lookWhere(drives, drive);
    if (drive.found_revision >= needed) {
      const page = await finding.find(drives.read_model, asked.query);
      drive.found_revision = page.revision;
      if (page.revision >= needed) return { page, asked_at };
    }
    if (performance.now() + pause_ms > deadline) throw new Unavailable('read-model-behind');
    await after(pause_ms);
  }
}

async function lookWhere({ read_model }: Drives, drive: Drive): Promise<void> {
  const checkpoint = await read_model.checkpoint(drive.drive_id);
  drive.found_revision = checkpoint?.revision ?? -1;
}

/** The question as the caller may ask it of the state as it is this moment. */
function askNow<Query extends object, Item, Named, Answer>(
  drives: Drives,
  drive: Drive,
  { credential }: Reader,
  finding: Finding<Query, Item, Named, Answer>,
):
  | { context: Context; read_scope: ReadScope; query: Query }
  | { refusal: Refusal; revision: number } {
  const now = drive.now();
  const { revision } = drive.head;
  const caller = resolveCaller(drive.state, credential, now);
  if (isRefusal(caller)) return { refusal: caller, revision };
  const context = drive.context(caller, now);
  const read_scope = readScopeOf(drives, drive);
  const query = finding.query(context, read_scope);
  return isRefusal(query) ? { refusal: query, revision } : { context, read_scope, query };
}
