import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { StateLoader } from '../../libs/engine/fold/loader.js';
import { FoldingIndexer, type IndexSpan } from '../../libs/engine/read-models/index-folder.js';
import { FoldedSnapshots } from '../../libs/engine/snapshots/snapshot-maker.js';
import { runForQuery } from '../../libs/engine/tasks/long-query.js';
import type { VerifyQuestion } from '../../libs/engine/verify/served-drive.js';
import { FoldingVerifier } from '../../libs/engine/verify/verifier.js';
import { Unavailable } from '../../libs/engine/writer/call.js';
import { isUnreachable, StoreUnavailable } from '../../libs/event-store/port.js';
import type { EventIndex, IndexPosition } from '../../libs/event-store/stores.js';
import { openStores } from '../../libs/stores/open.js';
import type { StoreSettings } from '../../libs/stores/settings.js';
import { answerQuestions, type Asker } from '../../libs/threads/answering.js';
import type { Question, ThreadData, VerifyAnswer } from './questions.js';
import { servedByHelpers } from './served-by-helpers.js';

/** About a tenth of the processor time of a thread that needs it too. */
const NICENESS = 10;

/** The program of the background thread. It reads the stores and writes nothing: the process that asks does. */
const { settings, most_bytes } = workerData as ThreadData;

// Requests go first. On Linux this concerns the calling thread alone, and those that it starts.
if (process.platform === 'linux') setPriority(NICENESS);

const opening = openStores(copied(settings), {
  to: 'read',
  schema: READ_SCHEMA,
  max_append_bytes: 0,
});
const working = opening.then(({ events, side }) => {
  const loader = new StateLoader(events, side, most_bytes);
  return {
    snapshots: new FoldedSnapshots(loader),
    verifier: new FoldingVerifier(events, side),
    indexer: new FoldingIndexer(events, loader),
  };
});

answerQuestions<Question>(parentPort!, async (question, asker) => {
  switch (question.work) {
    case 'snapshot':
      return (await working).snapshots.make(question.drive_id, question.revision);
    case 'verify':
      return verify(question.question, asker);
    case 'index':
      return index(question.span, asker);
    case 'close':
      return (await opening).close();
  }
});

async function verify(question: VerifyQuestion, asker: Asker): Promise<VerifyAnswer> {
  const { verifier } = await working;
  // Its end ends the fold; the asker counts the events.
  const query = { signal: asker.signal, begin() {}, folded() {}, end() {} };
  try {
    const verifying = (): Promise<VerifyAnswer> =>
      verifier.verify(question, servedByHelpers(asker)).then((found) => ({ found }));
    return await runForQuery(query, verifying);
  } catch (error) {
    if (error instanceof Unavailable) return { unavailable: error.reason };
    if (!(error instanceof StoreUnavailable)) throw error;
    return { unavailable: isUnreachable(error) ? 'store-unavailable' : 'store-failed' };
  }
}

async function index(span: IndexSpan, asker: Asker): Promise<IndexPosition | null> {
  const { indexer } = await working;
  const append: EventIndex['append'] = (...chunk) => asker.call('append', ...chunk);
  return indexer.index(span, { append }, asker.signal);
}

/** Buffers arrive as plain arrays of bytes. */
function copied({ master_key, signing_key, ...others }: StoreSettings): StoreSettings {
  return {
    ...others,
    master_key: master_key && Buffer.from(master_key),
    signing_key: signing_key && Buffer.from(signing_key),
  };
}
