export { MemoryEventStore } from './memory-event-store.js';
export { flawOf } from './files/flaw.js';
export { CACHES, isDamaged, isDiskFailure, remedy } from './files/unusable.js';
export { NewerSchema, OlderSchema } from './files/database.js';
export { DataFolderInUse, FolderUnusable, ensureFolder, lockFolder } from './files/folder-files.js';
export { WrongMasterKey } from '../key-wrap.js';
export {
  hasSigningKey,
  loadMasterKey,
  loadSigningKey,
  readMasterKey,
  UnusableKey,
} from './files/key-files.js';
export { openSideFolder } from './open.js';
export { openSqliteStores, type SqliteOptions, type SqliteStores } from './open.js';
export { deleteEventsAfter, UNFINISHED_RESTORE } from './delete-after.js';
