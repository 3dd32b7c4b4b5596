import { join } from 'node:path';

import { SqliteEventStore } from './event-store.js';
import { removeFolder, temporaryFolder } from './temporary-folder.contract.js';

describe('an event file that cannot be read just after a commit', () => {
  it('refuses the append and all later ones, since nobody knows what is in the file', async () => {
    const folder = temporaryFolder();
    const store = new SqliteEventStore({ path: join(folder, 'events.db') });
    const failed = Object.assign(new Error('disk I/O error'), { errcode: 10 });
    Object.assign(store, {
      highestPosition: () => {
        throw failed;
      },
    });
    const append = (revision: number) =>
      store.append('drive-a', revision - 1, [
        {
          ...{ event_id: `00000000-0000-4000-8000-00000000000${revision}`, type: 'Noted' },
          ...{ version: 1, timestamp_ms: 1, metadata: '{}', data: '{}', hash: new Uint8Array(32) },
        },
      ]);
    for (const revision of [0, 1])
      await expect(append(revision)).rejects.toMatchObject({ name: 'AppendOutcomeUnknown' });
    await store.close();
    removeFolder(folder);
  });
});
