import type { IndexSpan } from '../../libs/engine/read-models/index-folder.js';
import type { VerifyQuestion } from '../../libs/engine/verify/served-drive.js';
import type { DriveVerification } from '../../libs/engine/verify/verifier.js';
import type { UnavailableReason } from '../../libs/engine/writer/call.js';
import type { StoreSettings } from '../../libs/stores/settings.js';

/** What the background thread is started with. */
export interface ThreadData {
  readonly settings: StoreSettings;
  /** Memory limit of a state, bytes (estimated). */
  readonly most_bytes: number;
}

/** What the background thread is asked; `close`: to close the stores. */
export type Question =
  | { readonly work: 'snapshot'; readonly drive_id: string; readonly revision: number }
  | { readonly work: 'verify'; readonly question: VerifyQuestion }
  | { readonly work: 'index'; readonly span: IndexSpan }
  | { readonly work: 'close' };

export type VerifyAnswer =
  { readonly found: DriveVerification } | { readonly unavailable: UnavailableReason };
