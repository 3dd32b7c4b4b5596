import { EventStoreUnavailable, UnusableConnectionString } from '../event-store/kurrentdb/index.js';
import {
  DataFolderInUse,
  FolderUnusable,
  NewerSchema,
  OlderSchema,
  UnusableKey,
  WrongMasterKey,
} from '../event-store/sqlite/index.js';
import { StoreUnavailable } from '../event-store/port.js';
import { MongoUnavailable } from '../mongodb/client.js';

export { isDamaged, isDiskFailure } from '../event-store/sqlite/index.js';

const MENDABLE = [
  DataFolderInUse,
  FolderUnusable,
  EventStoreUnavailable,
  MongoUnavailable,
  NewerSchema,
  OlderSchema,
  StoreUnavailable,
  UnusableConnectionString,
  UnusableKey,
  WrongMasterKey,
];

/**
 * The error of opening or reading stores that an operator can correct: its message gives the reason or the remedy,
 * without secrets. Null if there is none.
 */
export function startupErrorOf(thrown: unknown): Error | null {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if (isMendable(error)) return error;
  return null;
}

function isMendable(error: Error): boolean {
  return MENDABLE.some((kind) => error instanceof kind);
}
