import type { Context } from '../domain/foundation/decision.js';
import type { DriveState } from '../domain/foundation/state.js';
import type { Drive } from '../engine/writer/drive.js';
import type { Keyring } from '../engine/keys/keyring.js';
import type { PastState } from '../engine/past/past.js';
import type { Presence } from '../engine/read-models/presence.js';
import { stateSource } from '../engine/read-models/source.js';
import { inTurns } from '../engine/tasks/turns.js';
import { StateReads } from '../read-model/memory/state-reads.js';
import type { Document, Reads } from '../read-model/port.js';
import { READ_SCHEMA } from './read-schema.js';
import { ownersView } from './replay/owners-view.js';

/** The source of a query: the current state of a drive, or a past state. */
export interface ReadScope {
  readonly drive_id: string;
  /** Finds documents at the revision of the state; null if the read model is external. */
  readonly read_model: Reads<Document> | null;
  /** Null for past states, which have no presence. */
  readonly presence: Presence | null;
}

/** The read scope of a drive's current state. */
export function readScopeOf({ drive_id, presence, reads: read_model }: Drive): ReadScope {
  return { drive_id, read_model, presence };
}

/** Indexes over past states. They are dropped with the state, or when the keyring that decrypted them changes. */
const reads_of = new WeakMap<DriveState, { keyring: Keyring; reads: StateReads }>();

/** The read scope of a past state, as long as that may be read. */
export function pastReadScope(
  { drive_id, keyring }: Drive,
  { folded }: PastState,
): ReadScope & { readonly read_model: Reads<Document> } {
  const { state } = folded;
  let known = reads_of.get(state);
  if (known?.keyring !== keyring) {
    const source = stateSource(state, keyring.open);
    known = { keyring, reads: new StateReads(READ_SCHEMA, source, inTurns) };
    reads_of.set(state, known);
  }
  return { drive_id, read_model: known.reads, presence: null };
}

/**
 * The context of a query of a past state: the view of the owner at that point, or of another user. Secrets are always
 * masked, and presence is unknown.
 */
export function pastContext(now: Context, { folded, point }: PastState, as_user?: string): Context {
  const context = ownersView(now, folded.state, point.at_ms);
  if (as_user === undefined) return context;
  return { ...context, caller: { ...context.caller, user_id: as_user } };
}
