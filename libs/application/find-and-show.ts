import { setTimeout as after } from 'node:timers/promises';
import { resolveCaller } from '../domain/access/caller.js';
import type { Context } from '../domain/foundation/decision.js';
import { isRefusal, type Refusal } from '../domain/kernel/refusal.js';
import { Unavailable } from '../engine/writer/call.js';
import type { Drive } from '../engine/writer/drive.js';
import type { Drives } from '../engine/drives/drives.js';
import { stateSource } from '../engine/read-models/source.js';
import type { Document, DocumentKey, Page, ReadModel, Reads } from '../read-model/port.js';
import { readScopeOf, type ReadScope } from './read-scope.js';
import { type Answering, answerFrom, type Reader } from './read-record.js';
import type { PageCache } from './views.js';

const LONGEST_PAUSE_MS = 50;

/** The steps of a query that finds records in the read model and shows them from the state. */
interface QuerySteps<Query, Item, Key, Answer> {
  /** The query of the read model, limited to what the caller may see; or a refusal. */
  readonly query: (context: Context, read_scope: ReadScope) => Query | Refusal;
  readonly find: {
    /** In a read model of this process: whole documents. */
    (reads: Reads<Document>, query: Query): Promise<Page<Item>>;
    /** In an external read model: keys only. */
    (reads: Reads, query: Query): Promise<Page<Key>>;
  };
  readonly show: (
    context: Context,
    read_scope: ReadScope,
    page: Page<Item>,
    query: Query,
  ) => Answer;
  /** Cache of the answer. A cached answer is returned without a query. Absent or undefined: the answer is not cached. */
  readonly cache?: (context: Context, read_scope: ReadScope) => PageCache<Answer> | undefined;
  /** Ids of the shown records, if nothing but them and the set of visible records decides a cached answer. */
  readonly idsOf?: (page: Page<Item>, query: Query) => readonly string[] | undefined;
  /**
   * The item of a key from an external read model, with the record of the state; null if the caller may not see the
   * record. State and read model may be at different revisions.
   */
  readonly inState: (
    context: Context,
    key: Key,
    record: (key: DocumentKey) => Document | undefined,
  ) => Item | null;
}

/**
 * Answers a query from records that the read model finds. A read model of this process has the revision of the state,
 * and so has one of a past state. An external read model only finds keys. Names, contents and permissions then come
 * from one state, read afterwards, whose revision is at least that of the found page. @throws Unavailable
 */
export function findAndShow<Query extends object, Item, Key, Answer>(
  drives: Drives,
  reader: Reader,
  steps: QuerySteps<Query, Item, Key, Answer>,
): Answering<Answer> {
  const { read_model } = drives;
  if (read_model.durable && !reader.past) return showFromState(drives, read_model, reader, steps);
  return answerFrom(drives, reader, (context, read_scope) => {
    const cache = steps.cache?.(context, read_scope);
    if (cache?.cached !== undefined) return cache.cached;
    const query = steps.query(context, read_scope);
    if (isRefusal(query)) return query;
    return steps.find(read_scope.read_model!, query).then((page) => {
      const answer = steps.show(context, read_scope, page, query);
      cache?.store(answer, steps.idsOf?.(page, query));
      return answer;
    });
  });
}

function showFromState<Query extends object, Item, Key, Answer>(
  drives: Drives,
  read_model: ReadModel,
  reader: Reader,
  steps: QuerySteps<Query, Item, Key, Answer>,
): Answering<Answer> {
  return drives.read(reader.drive_id, async (drive) => {
    const found = await findUpToDate(drives, { drive, read_model }, reader, steps);
    if ('refusal' in found) return found;
    const { page, read_at } = found;
    if (page.revision > drive.head.revision) await drive.follow();
    // Of events that are no longer in the store, until a worker has built the documents again.
    if (page.revision > drive.head.revision) throw new Unavailable('read-model-behind');
    await drive.durable();
    // Nothing is awaited from here on, so one state gives the whole answer.
    const started = startNow(drive, reader, steps);
    if ('refusal' in started) return started;
    const { context, read_scope, query } = started;
    const source = stateSource(context.state, context.open);
    const record = ({ family, id }: DocumentKey): Document | undefined =>
      source.document(family, id);
    const items = page.items
      .map((key) => steps.inState(context, key, record))
      .filter((item) => item !== null);
    const data = steps.show(context, read_scope, { ...page, items }, query);
    return { data, revision: Math.min(read_at, page.revision) };
  });
}

/** Queries until the read model includes every event that this process has acknowledged. @throws Unavailable `read-model-behind` */
async function findUpToDate<Query extends object, Item, Key, Answer>(
  { limits }: Drives,
  { drive, read_model }: { readonly drive: Drive; readonly read_model: ReadModel },
  reader: Reader,
  steps: QuerySteps<Query, Item, Key, Answer>,
): Promise<{ page: Page<Key>; read_at: number } | { refusal: Refusal; revision: number }> {
  const deadline = performance.now() + limits.projection_wait_ms;
  // Every drive has at least one event.
  const needed = Math.max(0, drive.answered_revision);
  for (let pause_ms = 1; ; pause_ms = Math.min(2 * pause_ms, LONGEST_PAUSE_MS)) {
    await drive.durable();
    const read_at = drive.head.revision;
    const started = startNow(drive, reader, steps);
    if ('refusal' in started) return started;
    // After an append the checkpoint is checked first, since that is cheaper than the query. An idle drive skips it.
    if (drive.found_revision < read_at) await readCheckpoint(read_model, drive);
    if (drive.found_revision >= needed) {
      const page = await steps.find(read_model, started.query);
      drive.found_revision = page.revision;
      if (page.revision >= needed) return { page, read_at };
    }
    if (performance.now() + pause_ms > deadline) throw new Unavailable('read-model-behind');
    await after(pause_ms);
  }
}

async function readCheckpoint(read_model: ReadModel, drive: Drive): Promise<void> {
  const checkpoint = await read_model.checkpoint(drive.drive_id);
  drive.found_revision = checkpoint?.revision ?? -1;
}

/** The context and query of the caller on the current state; or a refusal. */
function startNow<Query extends object, Item, Key, Answer>(
  drive: Drive,
  { credential }: Reader,
  steps: QuerySteps<Query, Item, Key, Answer>,
):
  | { context: Context; read_scope: ReadScope; query: Query }
  | { refusal: Refusal; revision: number } {
  const now = drive.now();
  const { revision } = drive.head;
  const caller = resolveCaller(drive.state, credential, now);
  if (isRefusal(caller)) return { refusal: caller, revision };
  const context = drive.context(caller, now);
  const read_scope = readScopeOf(drive);
  const query = steps.query(context, read_scope);
  return isRefusal(query) ? { refusal: query, revision } : { context, read_scope, query };
}
