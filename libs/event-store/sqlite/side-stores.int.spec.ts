import { describeSideStores } from '../side-stores.contract.js';
import { openSqliteStores } from './index.js';
import { removeFolder, temporaryFolder, MASTER_KEY } from './temporary-folder.contract.js';

describeSideStores('sqlite', async () => {
  const data_dir = temporaryFolder();
  const stores = openSqliteStores({ data_dir, master_key: MASTER_KEY });
  return {
    stores: stores.side,
    cleanUp: async () => {
      await stores.close();
      removeFolder(data_dir);
    },
  };
});
