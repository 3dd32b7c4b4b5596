import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { PEOPLE } from '../../apps/demo/company.js';
import { DAY_MS, DAYS, seedDemo } from '../../apps/demo/seed-demo.js';
import { type RunningDemo, startDemo } from '../../apps/demo/start.js';
import { fences, read } from '../docs/markdown.js';
import { paste, steps } from '../docs/walk.js';
import { Client } from '../support/client.js';
import { describeWith } from '../support/needs.js';
import { TestService } from '../support/service.js';

const clientOf = (url: string, drive_id: string, token: string): Client =>
  new Client(`${url}/v1/drive/${drive_id}`, token);

describe('the demo', () => {
  let folder: string;
  let demo: RunningDemo;
  let owner: Client;
  const shares: number[] = [];
  const start = (): Promise<RunningDemo> =>
    startDemo({
      ...{ folder, seed: 1, port: 0, progress: (share) => shares.push(share) },
      options: { logger: new JsonLogger('silent') },
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-'));
    demo = await start();
    owner = clientOf(demo.server.url, demo.drive_id, demo.token);
  });

  afterAll(async () => {
    await demo.server.close();
    await rm(folder, { recursive: true });
  });

  it('has six months of events, which end today, and a valid history', async () => {
    const { data } = await owner.post('/organization/verify');
    expect(data).toMatchObject({ valid: true });
    expect(data.checked_events).toBeGreaterThanOrEqual(5000);
    const ends = await Promise.all(
      ['ASC', 'DESC'].map((direction) =>
        owner.post('/organization/history', { direction, page_size: 1 }),
      ),
    );
    const [first, last] = ends.map((answer) => answer.data.items[0].timestamp_ms as number);
    expect(last! - first!).toBeGreaterThan((DAYS - 4) * DAY_MS);
    expect(last!).toBeLessThanOrEqual(Date.now());
    expect(shares.at(-1)).toBe(1);
  });

  it('has people with names', async () => {
    const { data } = await owner.post('/contacts/list', { page_size: 100 });
    const names = data.items.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual([...PEOPLE].sort());
  });

  it('keeps the key of the owner in a file for its user only', async () => {
    expect((await stat(join(folder, 'demo.json'))).mode & 0o777).toBe(0o600);
    expect(demo.login_link).toMatch(/\/auto-login\?token=[\w-]+$/);
  });

  it('shows who could read the leaked file, why, and for how long', async () => {
    const { leak } = demo;
    const { data: listed } = await owner.post('/contacts/list', { filters: 'Jonas Weber' });
    const grantee_id = listed.items[0].id as string;
    const of = { grantee_id, resource_id: leak.term_sheet };
    const { data: access } = await owner.post('/organization/access_timeline', of);
    expect(access.intervals).toHaveLength(1);
    const [interval] = access.intervals;
    expect(interval).toMatchObject({
      permission_type: 'VIEW',
      because: [{ via: leak.advisers, invite_id: leak.invite }],
    });
    const days = (interval.to_ms - interval.from_ms) / DAY_MS;
    expect(days.toFixed(1)).toBe('5.5');
    const now = await owner.post('/organization/explain', of);
    expect(now.data.permissions).toEqual([]);
    const seen = await owner.get(
      `/directory/asset/${leak.term_sheet}.md?as_of=r${interval.from_revision}&as_user=${grantee_id}`,
    );
    expect(seen.body).toContain('second draft');
  });

  describeWith('curl')('has a story', () => {
    it('that is told by commands, printing what it says', async () => {
      const walk = steps(fences(read('docs/demo.md')));
      const printed = await paste(
        walk.map(({ command }) => command),
        { BASE: demo.server.url, DRIVE: demo.drive_id, TOKEN: demo.token },
      );
      expect(walk).toHaveLength(7);
      expect(printed).toEqual(walk.map(({ output }) => output));
    });
  });

  it('is served again from its folder', async () => {
    const { drive_id } = demo;
    await demo.server.close();
    shares.length = 0;
    demo = await start();
    owner = clientOf(demo.server.url, demo.drive_id, demo.token);
    expect(demo.drive_id).toBe(drive_id);
    expect(shares).toEqual([]);
    expect((await owner.get('/organization/about')).data.organization_name).toBe(
      'Halden Instruments',
    );
  });

  it('refuses a folder with other data, and leaves it as it is', async () => {
    const other = await mkdtemp(join(tmpdir(), 'demo-'));
    try {
      await writeFile(join(other, 'thesis.txt'), 'precious');
      await expect(startDemo({ folder: other, seed: 1, port: 0 })).rejects.toMatchObject({
        name: 'NoDemoFolder',
        message: expect.stringContaining('is not empty'),
      });
      expect(await readFile(join(other, 'thesis.txt'), 'utf8')).toBe('precious');
    } finally {
      await rm(other, { recursive: true });
    }
  });
});

describe('a demo of the same seed', () => {
  const DAYS_COMPARED = 12;

  async function eventsOf(seed: number): Promise<unknown[]> {
    let now_ms = 0;
    const service = await TestService.start({ DEFAULT_DISK: 'Files' }, { clock: () => now_ms });
    try {
      const { organization } = await seedDemo(service.url, {
        ...{ seed, days: DAYS_COMPARED, until_ms: Date.UTC(2026, 5, 1) },
        setTime: (time_ms) => (now_ms = time_ms),
      });
      const owner = clientOf(service.url, organization.drive_id, organization.token);
      const all: unknown[] = [];
      for (let cursor: string | null = null; ;) {
        const page = { direction: 'ASC', page_size: 500, ...(cursor && { cursor }) };
        const { data } = await owner.post('/organization/history', page);
        for (const { type, timestamp_ms, summary } of data.items)
          all.push({ type, timestamp_ms, summary });
        if (!data.cursor_down) return all;
        cursor = data.cursor_down;
      }
    } finally {
      await service.stop();
    }
  }

  it('has the same events, one of another seed others', async () => {
    const [one, same, other] = [await eventsOf(1), await eventsOf(1), await eventsOf(2)];
    expect(one.length).toBeGreaterThan(300);
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });
});
