import { EventStoreUnavailable, UnusableConnectionString } from '../event-store/kurrentdb/index.js';
import {
  DataFolderInUse,
  DataFolderUnusable,
  NewerSchema,
  UnusableKey,
  WrongMasterKey,
} from '../event-store/sqlite/index.js';
import { MongoUnavailable } from '../mongodb/client.js';

const MENDABLE = [
  DataFolderInUse,
  DataFolderUnusable,
  EventStoreUnavailable,
  MongoUnavailable,
  NewerSchema,
  UnusableConnectionString,
  UnusableKey,
  WrongMasterKey,
];

/** True for an error of opening stores that an operator can mend; its message says how, without secrets. */
export function isMendable(error: unknown): error is Error {
  return MENDABLE.some((kind) => error instanceof kind);
}
