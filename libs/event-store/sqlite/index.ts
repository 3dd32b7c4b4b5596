export { NewerSchema } from './database.js';
export { DataFolderUnusable } from './folder-files.js';
export { DataFolderInUse } from './folder-lock.js';
export { WrongMasterKey } from './key-vault.js';
export { loadMasterKey, UnusableMasterKey } from './master-key.js';
export { openSqliteStores, type SqliteOptions, type SqliteStores } from './open.js';
