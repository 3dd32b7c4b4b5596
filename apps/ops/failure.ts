import { Unavailable, type UnavailableReason } from '../../libs/engine/writer/call.js';
import { BrokenStream } from '../../libs/engine/fold/fold.js';
import { NotExportable } from '../../libs/engine/transfer/export.js';
import { ImportRefused } from '../../libs/engine/transfer/survey.js';
import { ContentStoreFull } from '../../libs/content-store/port.js';
import { UnusableKeyFile } from '../../libs/engine/transfer/key-file.js';
import { Malformed } from '../../libs/proofs/hashes.js';
import { ForeignEvent, StoreUnusable, StreamDeleted } from '../../libs/event-store/port.js';
import { BrokenFile } from '../../libs/proofs/stream-file.js';
import { isDamaged, isDiskFailure, startupErrorOf } from '../../libs/stores/startup-errors.js';

/** Exit codes of the command line; 0 is success. */
export const EXIT = {
  /** The query was refused, or its answer reports a problem. */
  refused: 1,
  /** The command line is invalid. */
  usage: 2,
  /** The server, the data folder or its settings cannot be used. */
  unreachable: 3,
  /** A signal stopped it in order; the same command resumes or restarts. */
  interrupted: 130,
} as const;

/** Ends a command with a message. */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    message: string,
    readonly exit_code: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A member that a refusal concerns. */
export interface Blamed {
  /** JSON pointer into the body. */
  readonly pointer: string;
  readonly reason: string;
}

/** The query was refused, by a server or by the engine. */
export class Refused extends Failure {
  constructor(
    message: string,
    readonly details: readonly Blamed[],
  ) {
    super(message, EXIT.refused);
  }
}

const REFUSED = [
  ImportRefused,
  BrokenFile,
  BrokenStream,
  ContentStoreFull,
  ForeignEvent,
  StreamDeleted,
  Malformed,
  NotExportable,
  UnusableKeyFile,
];

const UNAVAILABLE: Partial<Record<UnavailableReason, string>> = {
  importing: 'The organization is being imported; import it to its end first.',
  sealed: 'The keys are missing; import them first.',
  closed: 'There are events unknown to this release.',
  'too-large': 'The state exceeds the memory limit; raise STATE_CACHE_BYTES.',
  broken: 'The stored events are invalid; doctor and verify show why and where.',
};

/** Why one organization cannot be read; null for errors that are not about it. */
export function whyUnreadable(error: unknown): string | null {
  return error instanceof Unavailable ? (UNAVAILABLE[error.reason] ?? null) : null;
}

/** Maps an expected error of the engine to a failure for the operator; any other error is a bug and stays as it is. */
export function failureOf(error: unknown): unknown {
  const unusable = unusableIn(error);
  if (unusable) return new Failure(sentence(unusable), EXIT.refused);
  if (error instanceof Unavailable)
    return new Failure(
      UNAVAILABLE[error.reason] ?? `The store is unavailable (${error.reason}).`,
      EXIT.unreachable,
    );
  if (REFUSED.some((kind) => error instanceof kind))
    return new Failure(sentence(error as Error), EXIT.refused);
  const mendable = startupErrorOf(error);
  if (mendable) return new Failure(sentence(mendable), EXIT.unreachable);
  if (isDiskFailure(error))
    return new Failure(`A database cannot be used: ${sentence(error as Error)}`, EXIT.unreachable);
  if (isDamaged(error))
    return new Failure(
      `A database is damaged (${(error as Error).message}); doctor names it.`,
      EXIT.refused,
    );
  if (isOfSystem(error))
    // A file named on the command line does not exist.
    return new Failure(sentence(error), error.code === 'ENOENT' ? EXIT.usage : EXIT.unreachable);
  return error;
}

/** The unusable file behind an error, if any. */
function unusableIn(thrown: unknown): StoreUnusable | null {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if (error instanceof StoreUnusable) return error;
  return null;
}

/** True for a failure of the operating system, such as a file that may not be read or a full disk. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return typeof (error as { syscall?: unknown } | null | undefined)?.syscall === 'string';
}

function sentence({ message }: Error): string {
  return message.endsWith('.') ? message : `${message}.`;
}
