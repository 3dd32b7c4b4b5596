import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Failure } from '../../apps/ops/failure.js';
import { SqliteEventStore } from '../../libs/event-store/sqlite/event-store.js';
import { ops, OpsProcess } from '../support/ops.js';
import { buildServer } from '../support/processes.js';
import { TestService } from '../support/service.js';

describe('a signal to ops', () => {
  let server: Server;

  beforeAll(() => buildServer());
  beforeEach(() => void (server = createServer()));
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])(
    'ends a query with exit code 130: %s',
    async (signal) => {
      // The server never answers.
      const asked = new Promise((resolve) => server.once('request', resolve));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const query = ['history', '--drive', `DriveID_${'a'.repeat(5)}`, '--url', url];
      const run = new OpsProcess(query, { DRIVE_TOKEN: 'token' });
      const first = await Promise.race([asked.then(() => 'asked'), run.ended]);
      expect([first, run.err]).toEqual(['asked', '']);
      run.kill(signal);
      expect(await run.ended).toEqual({ code: 130, signal: null });
    },
  );

  it('ends reindex in the middle of an organization', async () => {
    const service = await TestService.start({ EVENT_STORE: 'sqlite', SIDE_STORE: 'sqlite' });
    try {
      const { admin, drive_id } = await service.organization();
      for (let nth = 0; nth < 50; nth++) await admin.post('/groups/create', { name: `G${nth}` });
      await service.server.close();
      const stopping = new AbortController();
      const read = SqliteEventStore.prototype.readPrepared;
      const reads = jest.spyOn(SqliteEventStore.prototype, 'readPrepared');
      reads.mockImplementation(async function (this: SqliteEventStore, ...asked) {
        stopping.abort(new Failure('Stopped.', 130));
        // Folds look at the signal when they yield, which is due by then.
        await after(50);
        return read.apply(this, asked);
      });
      const reindex = ['reindex', '--drive', drive_id, '--data-dir', service.data_dir];
      const run = await ops(reindex, {}, () => stopping.signal);
      expect(run).toEqual({ code: 130, out: '', err: 'Stopped.\n' });
      reads.mockRestore();
      const again = await ops(reindex);
      expect(again.code).toBe(0);
    } finally {
      await service.stop();
    }
  });
});
