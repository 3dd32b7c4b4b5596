import type { KeyObject } from 'node:crypto';

import type { Digest } from '../../proofs/digest.js';
import type { Fingerprints } from '../../read-model/fingerprint.js';
import type { AnyReadModel, Entry, Position, ReadModel } from '../../read-model/port.js';
import { stateSource } from '../read-models/source.js';
import { Pace } from '../tasks/turns.js';
import type { Drive } from '../writer/drive.js';

/** What to verify; it can be passed to another thread. */
export interface VerifyQuestion {
  readonly drive_id: string;
  readonly families: readonly string[];
  /** The last acknowledged event. */
  readonly head: { readonly revision: number; readonly hash: Uint8Array };
  /** A digest that the stream must contain. */
  readonly digest?: Digest | undefined;
  /** True if the read model outlives the process: it may be behind the stream, or ahead of this process. */
  readonly has_durable_documents: boolean;
  /** Of the read model, or of this verification. */
  readonly fingerprint_key: KeyObject;
}

/** Entries of a family, and the ids of its records. */
interface EntryPage {
  readonly ids: readonly string[];
  readonly entries: readonly Entry[];
  /** Null: it was the last one. */
  readonly after: Position | null;
}

/** A drive in use, as far as its verification needs it. */
export interface ServedDrive {
  /** Revision of the last durable event. */
  head(): Promise<number>;
  /** The same after events of other processes have been folded in. */
  follow(): Promise<number>;
  /** Revision of the read model; -1 without one. */
  checkpoint(): Promise<number>;
  /** True if documents of the read model are ahead of its checkpoint. */
  isWithinStep(families: readonly string[]): Promise<boolean>;
  page(family: string, after?: Position): Promise<EntryPage>;
  entries(family: string, ids: readonly string[]): Promise<readonly Entry[]>;
  /** Runs a task while no command is decided. */
  exclusively<T>(task: () => Promise<T>): Promise<T>;
  progress(checked_events: number): void;
}

/** Entries of a page: each takes a keyed hash in the thread of requests. */
const PAGE = 50;

/** A drive of this process. */
export function servedBy(
  drive: Drive,
  { read_model, fingerprints }: { read_model: AnyReadModel; fingerprints: Fingerprints },
  progress: (checked_events: number) => void,
): ServedDrive {
  const head = async (): Promise<number> => drive.head.revision;
  return {
    ...{ head, progress },
    follow: () => drive.follow().then(head),
    exclusively: (task) => drive.exclusively(task),
    ...(read_model.durable ? documentsOf(drive, read_model) : recordsOf(drive, fingerprints)),
  };
}

type Documents = Pick<ServedDrive, 'checkpoint' | 'isWithinStep' | 'page' | 'entries'>;

function documentsOf({ drive_id }: Drive, read_model: ReadModel): Documents {
  const pace = new Pace();
  const entries: ServedDrive['entries'] = (family, ids) =>
    read_model.entries(drive_id, family, ids);
  return {
    entries,
    checkpoint: async () => (await read_model.checkpoint(drive_id))?.revision ?? -1,
    isWithinStep: (families) => read_model.isWithinStep(drive_id, families),
    async page(family, after) {
      if (pace.is_due) await pace.turn();
      const page = await read_model.list(drive_id, {
        ...{ family, visible: 'all', direction: 'ASC', page_size: PAGE },
        ...(after && { after }),
      });
      const ids = page.items.map(({ id }) => id);
      return { ids, entries: await entries(family, ids), after: page.after };
    },
  };
}

/** The records of the state in use, of which a local read model is an index. */
function recordsOf(drive: Drive, fingerprints: Fingerprints): Documents {
  const { drive_id, keyring } = drive;
  const pace = new Pace();
  /** Of the family being read: its records change meanwhile. */
  let ids_left: Iterator<string> = [].values();
  const entriesNow = (family: string, ids: readonly string[]): Entry[] => {
    const source = stateSource(drive.state, keyring.open);
    return ids.flatMap((id) => {
      const document = source.document(family, id);
      if (!document) return [];
      const { revision } = document;
      return [{ family, id, revision, fingerprint: fingerprints.of(drive_id, document) }];
    });
  };
  return {
    // Records of events that are rolled back later would differ from the fold.
    entries: async (family, ids) => {
      while (!drive.makeReadable()) await drive.durable();
      return entriesNow(family, ids);
    },
    checkpoint: async () => drive.head.revision,
    isWithinStep: async () => false,
    async page(family, after) {
      if (pace.is_due) await pace.turn();
      while (!drive.makeReadable()) await drive.durable();
      ids_left = after ? ids_left : (drive.state.table(family)?.ids() ?? [].values());
      const ids = [...take(ids_left, PAGE)];
      const last = ids.at(-1);
      const has_more = ids.length === PAGE && last !== undefined;
      return {
        ids,
        entries: entriesNow(family, ids),
        after: has_more ? { key: 0, id: last } : null,
      };
    },
  };
}

function* take<T>(items: Iterator<T>, most: number): Generator<T> {
  for (let nth = 0; nth < most; nth++) {
    const { done, value } = items.next();
    if (done) return;
    yield value;
  }
}
