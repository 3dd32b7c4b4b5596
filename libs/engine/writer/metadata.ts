import type { Caller } from '../../domain/foundation/decision.js';
import type { CommandRequest } from './call.js';
import { canonicalJson } from '../proofs/hashing.js';

/** The metadata stored with every event of a command and covered by its hash. */
export interface EventMetadata {
  readonly actor: {
    readonly api_key_id: string | null;
    readonly user_id: string | null;
    readonly via: string;
  };
  readonly allowed_by: readonly string[];
  readonly command: string;
  readonly command_index: number;
  readonly correlation_id: string;
  readonly idempotency: {
    readonly body: string;
    readonly key: string;
    /** The part of the outcome that only the decision knew and the answer needs. */
    readonly outcome?: unknown;
  } | null;
  readonly reason: string | null;
}

/** Metadata of a command's events beside its request. */
interface Circumstances {
  readonly caller: Caller;
  readonly command: string;
  readonly allowed_by: readonly string[];
  readonly command_index?: number;
}

/**
 * The metadata as canonical JSON. Members are written in the order of their names, to avoid sorting on every command.
 * A spec compares it with the library's output.
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
