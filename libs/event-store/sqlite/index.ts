export { NewerSchema, OlderSchema } from './database.js';
export { DataFolderUnusable } from './folder-files.js';
export { DataFolderInUse } from './folder-lock.js';
export { WrongMasterKey } from '../key-wrap.js';
export {
  hasSigningKey,
  loadMasterKey,
  loadSigningKey,
  readMasterKey,
  UnusableKey,
} from './key-files.js';
export { openSideFolder } from './side-folder.js';
export { openSqliteStores, type SqliteOptions, type SqliteStores } from './open.js';
