import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { damagePage } from '../../libs/event-store/sqlite/damaged-page.contract.js';
import { ops } from '../support/ops.js';
import { TestService } from '../support/service.js';

describe('doctor on a folder with a lost file', () => {
  let folder: string;
  let whole: string;
  let data_dir: string;
  let made = 0;

  const path = (name: string): string => join(data_dir, name);
  const doctor = () => ops(['doctor', '--data-dir', data_dir]);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ops-doctor-'));
    whole = join(folder, 'whole');
    const service = await TestService.start({ EVENT_STORE: 'sqlite', SIDE_STORE: 'sqlite' });
    await service.organization();
    await service.server.close();
    cpSync(service.data_dir, whole, { recursive: true });
    await service.restart();
    await service.stop();
  });
  beforeEach(() => {
    data_dir = join(folder, `data-${++made}`);
    cpSync(whole, data_dir, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each<[string, () => void]>([
    ['its head', () => writeFileSync(path('jobs.db'), 'no database, but longer than a header')],
    ['a page', () => damagePage(path('jobs.db'), 1)],
  ])('reports jobs.db damaged at %s, and examines all else', async (_, damage) => {
    damage();
    const { code, out } = await doctor();
    expect(code).toBe(1);
    expect(out).toContain(`BAD  ${path('jobs.db')} is damaged (`);
    expect(out).toContain('The factory names 1 organizations.');
  });

  it.each(['events.db', 'side.db'])('reports a missing %s', async (name) => {
    rmSync(path(name));
    const { code, out } = await doctor();
    expect([code, out]).toEqual([1, expect.stringContaining(`BAD  ${path(name)} is missing: `)]);
  });

  it('reports an events.db that is no database', async () => {
    writeFileSync(path('events.db'), 'no database, but longer than a header');
    const { code, out } = await doctor();
    expect(code).toBe(1);
    expect(out).toContain(`BAD  ${path('events.db')} is damaged or not a database`);
  });
});
