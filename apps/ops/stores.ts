import { openSqliteStores, readMasterKey } from '../../libs/event-store/sqlite/index.js';
import type { SqliteStores } from '../../libs/event-store/sqlite/index.js';

/** Opens a data folder without writing to it, also beside a running service. `MASTER_KEY` as for the service. */
export function openFolder(data_dir: string): SqliteStores {
  const master_key = readMasterKey(data_dir, process.env.MASTER_KEY?.trim());
  return openSqliteStores({ data_dir, master_key, read_only: true });
}
