import { resolveCaller, type Credential } from '../domain/access/caller.js';
import type { Context } from '../domain/drive/decision.js';
import type { ReadDefinition } from '../domain/drive/reading.js';
import { isRefusal, type Refusal, refuse } from '../domain/kernel/refusal.js';
import type { RecordBase } from '../domain/kernel/table.js';
import type { Outcome } from '../engine/call.js';
import type { Drive } from '../engine/drive.js';
import type { Drives } from '../engine/drives.js';
import { JsonText, views } from './views.js';

/** Who reads, and where. */
export interface Reader {
  readonly drive_id: string;
  readonly credential: Credential;
}

/**
 * Answers a question from a drive's durable state as its caller may see it. The question runs in
 * one go or goes on with the same context: nothing it sees can be undone.
 */
export function answerFrom<T>(
  drives: Drives,
  reader: Reader,
  question: (context: Context, drive: Drive) => T | Refusal | Promise<T | Refusal>,
): Promise<Outcome<T>> {
  return drives.read(reader.drive_id, async (drive): Promise<Outcome<T>> => {
    const now = drive.now();
    const { revision } = drive.head;
    const caller = resolveCaller(drive.state, reader.credential, now);
    if (isRefusal(caller)) return { refusal: caller, revision };
    const data = await question(drive.context(caller, now), drive);
    if (typeof data === 'object' && data !== null && isRefusal(data))
      return { refusal: data, revision };
    return { data, revision };
  });
}

/** One record as the caller may see it. */
export function readRecord<R extends RecordBase, View>(
  drives: Drives,
  reads: ReadDefinition<R, View>,
  reader: Reader,
  asked: string,
): Promise<Outcome<JsonText<View>>> {
  return answerFrom(drives, reader, async (context, drive) => {
    const id = reads.idOf?.(context, asked) ?? asked;
    if (reads.mayAsk && !reads.mayAsk(context, id)) return refuse(reads.when_hidden);
    // Only what a caller may read is ever shown, and so known.
    const known = views.knownText(drive, context, reads, id);
    if (known !== undefined) return new JsonText<View>(known);
    const document = await drives.read_model.get(reader.drive_id, reads.family, id);
    if (!document) return refuse(reads.not_found);
    const record = document.record as R;
    if (!reads.mayRead(context, record)) return refuse(reads.when_hidden);
    return new JsonText<View>(views.textOf(drive, context, reads, document));
  });
}
