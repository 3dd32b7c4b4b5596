import { statSync } from 'node:fs';
import { join } from 'node:path';
import { damagePage } from '../../libs/event-store/sqlite/damaged-page.contract.js';
import type { Client, Organization } from '../support/client.js';
import { ops } from '../support/ops.js';
import { TestService } from '../support/service.js';

const PAGE_BYTES = 4096;
const CACHES = ['index.db', 'tiles.db', 'snapshots.db', 'expiries.db'];

describe('a service whose caches are damaged', () => {
  let service: TestService;
  let org: Organization;
  let admin: Client;

  beforeAll(async () => {
    const own = { EVENT_STORE: 'sqlite', SIDE_STORE: 'sqlite', SNAPSHOT_AFTER_EVENTS: '100' };
    service = await TestService.start(own);
    org = await service.organization();
    ({ admin } = org);
    for (let nth = 0; nth < 300; nth++) await admin.post('/groups/create', { name: `G${nth}` });
    await admin.get('/organization/digest');
  });
  afterAll(() => service.stop());

  /** Damages all pages of the caches but the first, which shows when a file is opened. */
  const damaged = async (caches: readonly string[]): Promise<void> => {
    // Fills what a replaced cache lacks.
    expect((await admin.post('/organization/history')).status).toBe(200);
    expect((await admin.get('/organization/digest')).status).toBe(200);
    await service.restart({ PORT: new URL(admin.base).port }, async () => {
      for (const cache of caches) {
        const path = join(service.data_dir, cache);
        for (let page = statSync(path).size / PAGE_BYTES - 1; page > 0; page--)
          damagePage(path, page);
      }
    });
  };
  /** Repeats a request once after 503. */
  const answered = async (request: () => ReturnType<Client['get']>) => {
    const first = await request();
    expect([200, 503]).toContain(first.status);
    return first.status === 503 ? request() : first;
  };

  it('starts, and answers completely, at most after one 503 for each', async () => {
    await damaged(CACHES);
    expect((await admin.get('/organization/about')).status).toBe(200);
    const history = await answered(() => admin.post('/organization/history', { page_size: 1 }));
    expect(history.data).toMatchObject({ total: expect.any(Number) });
    expect(history.data.total).toBeGreaterThan(300);
    for (const request of [
      () => admin.post('/organization/history', { command: 'CreateGroup' }),
      () => admin.get('/organization/digest'),
      () => admin.post('/organization/verify'),
    ])
      expect((await answered(request)).status).toBe(200);
    const { data } = await admin.post('/organization/verify');
    expect(data).toMatchObject({ valid: true, reason: null });
  });

  it('reindexes into a new index', async () => {
    await damaged(['index.db']);
    expect((await admin.post('/organization/reindex')).status).toBe(200);
    const { data } = await admin.post('/organization/history', { command: 'CreateGroup' });
    expect(data.total).toBe(300);
    expect((await admin.post('/organization/verify')).data.valid).toBe(true);
  });

  it('is not called damaged by verify; the cache is, with the remedy', async () => {
    await damaged(['index.db']);
    const { code, out } = await ops(['verify'], { DATA_DIR: service.data_dir });
    const lines = out.trim().split('\n');
    const path = join(service.data_dir, 'index.db');
    const flaw = `BAD  ${path}: The cache ${path} is damaged (`;
    expect([code, lines.filter((line) => line.startsWith(flaw)).length]).toEqual([1, 1]);
    expect(lines.filter((line) => line.startsWith('ok'))).toEqual([
      expect.stringContaining('factory'),
      expect.stringContaining(org.drive_id),
    ]);
    const doctor = await ops(['doctor'], { DATA_DIR: service.data_dir });
    expect([doctor.code, doctor.err]).toEqual([0, '']);
    expect(doctor.out).toContain(`WARN The cache ${path} is damaged (`);
  });
});
