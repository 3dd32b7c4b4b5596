import type { IndexSpan } from '../../libs/engine/read-models/index-folder.js';
import type { FoldedSnapshot } from '../../libs/engine/fold/far-folder.js';
import type { VerifyQuestion } from '../../libs/engine/verify/served-drive.js';
import type { DriveVerification } from '../../libs/engine/verify/verifier.js';
import type { EventIndex, IndexPosition, Snapshot } from '../../libs/event-store/stores.js';
import type { StoreSettings } from '../../libs/stores/settings.js';

/** What the background thread is started with. */
export interface ThreadData {
  readonly settings: StoreSettings;
  /** Memory limit of a state, bytes (estimated). */
  readonly most_bytes: number;
}

/** The questions to the background thread by their work, each with its answer. */
export interface Works {
  snapshot: {
    readonly asked: { readonly drive_id: string; readonly revision: number };
    readonly answer: Snapshot;
  };
  fold: {
    readonly asked: Works['snapshot']['asked'] & { readonly verify: boolean };
    readonly answer: FoldedSnapshot | null;
  };
  refold: {
    /** Null: nothing is indexed. */
    readonly asked: Works['snapshot']['asked'] & { readonly append_events: number | null };
    readonly answer: Snapshot | null;
  };
  verify: { readonly asked: VerifyQuestion; readonly answer: DriveVerification };
  index: {
    readonly asked: IndexSpan & Pick<EventIndex, 'append_events'>;
    readonly answer: IndexPosition | null;
  };
}

/** A question; `close` asks for the end of the stores. */
export type Question =
  | { [Work in keyof Works]: { readonly work: Work } & Pick<Works[Work], 'asked'> }[keyof Works]
  | { readonly work: 'close' };
