import type { KeyObject } from 'node:crypto';

import type { Digest } from '../../proofs/digest.js';
import type { Entry, Position, ReadModel } from '../../read-model/port.js';
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
  /** Of the read model. */
  readonly fingerprint_key: KeyObject;
}

/** Entries of a family, and the ids that the list of the family shows. */
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
  read_model: ReadModel,
  progress: (checked_events: number) => void,
): ServedDrive {
  const { drive_id } = drive;
  const pace = new Pace();
  const entries: ServedDrive['entries'] = (family, ids) =>
    read_model.entries(drive_id, family, ids);
  const head = async (): Promise<number> => drive.head.revision;
  return {
    ...{ head, entries, progress },
    follow: () => drive.follow().then(head),
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
    exclusively: (task) => drive.exclusively(task),
  };
}
