import type { Caller } from '../../domain/foundation/decision.js';
import type { CommandRequest } from './call.js';
import { canonicalJson } from '../proofs/hashing.js';

/** The circumstances stored with every event of a command, inside its hash. */
export interface EventMetadata {
  readonly actor: {
    readonly api_key_id: string | null;
    readonly user_id: string | null;
    readonly via: string;
  };
  readonly allowed_by: readonly string[];
  readonly command: string;
  /** Place of the command in its request. */
  readonly command_index: number;
  readonly correlation_id: string;
  readonly idempotency: {
    readonly body: string;
    readonly key: string;
    /** What only the decision knew and the answer needs. */
    readonly outcome?: unknown;
  } | null;
  readonly reason: string | null;
}

/** What the metadata of a command's events say beside its request. */
interface Circumstances {
  readonly caller: Caller;
  readonly command: string;
  readonly allowed_by: readonly string[];
  readonly command_index?: number;
}

/**
 * The metadata as canonical JSON: members are written down in the order of their names, so nothing
 * needs sorting on the way of every command. A spec holds it equal to what the library makes of it.
 */
export function metadataText(
  { caller, command, allowed_by, command_index = 0 }: Circumstances,
  request: CommandRequest,
  outcome?: unknown,
): string {
  const { api_key_id, user_id, via } = caller;
  const { correlation_id, idempotency, reason } = request;
  const kept = outcome === undefined ? {} : { outcome: JSON.parse(canonicalJson(outcome)) };
  const metadata: EventMetadata = {
    actor: { api_key_id, user_id: user_id || null, via },
    allowed_by,
    command,
    command_index,
    correlation_id,
    idempotency: idempotency && { body: idempotency.body, key: idempotency.key, ...kept },
    reason,
  };
  return JSON.stringify(metadata);
}
