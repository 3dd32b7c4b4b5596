import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Organization } from '../support/client.js';
import { complaints, readLedger } from './ledger.js';
import { type Asked, load, organizations } from './load.js';
import { buildServer, ServiceProcess } from '../support/processes.js';

const CONNECTIONS = 32;
const ROUNDS = 4;
/** Answers after which a round ends, other ones each round so that other moments are met. */
const ANSWERS = [150, 311, 97, 420];
const A_WHILE_MS = 240_000;

describe('a server process', () => {
  let data_dir: string;
  let server: ServiceProcess | undefined;

  beforeAll(() => buildServer(), A_WHILE_MS);
  beforeEach(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'drive-crash-'));
  });
  afterEach(async () => {
    await server?.kill('SIGKILL');
    await rm(data_dir, { recursive: true, force: true });
  });

  it('killed amid writes, again and again, loses nothing acknowledged and leaves no half command', async () => {
    const asked: Asked[] = [];
    const drives: Organization[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      server = await ServiceProcess.start('api', {
        DATA_DIR: data_dir,
        SNAPSHOT_EVERY_EVENTS: '100',
      });
      // What was acknowledged before the last kill answers at once.
      const { url } = server;
      for (const { drive_id, status, made_drive_id } of asked.slice(-CONNECTIONS * 2)) {
        const known = made_drive_id || drive_id;
        if (status !== 200) continue;
        const { status: now } = await new Client(url).get(`/v1/drive/${known}/organization/about`);
        expect(now).toBe(401);
      }
      drives.push(...(await organizations(url, round === 0 ? 4 : 1)));
      const limit = ANSWERS[round]!;
      const killed = server;
      const answered = (acknowledged: number): void => {
        if (acknowledged >= limit) void killed.kill('SIGKILL');
      };
      asked.push(...(await load({ url, drives, connections: CONNECTIONS, answered })));
      expect(await server.ended).toEqual({ code: null, signal: 'SIGKILL' });
      const ledger = await readLedger(data_dir);
      expect(complaints(ledger, asked)).toEqual([]);
    }
    const acknowledged = asked.filter(({ status }) => status === 200).length;
    expect(acknowledged).toBeGreaterThanOrEqual(ANSWERS.reduce((sum, count) => sum + count));
    expect(asked.length).toBeGreaterThan(acknowledged);
    await expectToBeNoticed(data_dir, asked);
  });

  it('refuses a folder in which another one works, with a sentence, and leaves that one alone', async () => {
    server = await ServiceProcess.start('api', { DATA_DIR: data_dir });
    const second = await ServiceProcess.start('api', { DATA_DIR: data_dir });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.output).toContain(
      `data folder ${data_dir} is in use by another process; stop that one first`,
    );
    expect(second.output).not.toContain('    at ');
    const [organization] = await organizations(server.url, 1);
    expect((await organization!.admin.post('/groups/create')).status).toBe(200);
  });

  it('told to stop under load answers what it took, does nothing else, and ends with 0', async () => {
    server = await ServiceProcess.start('api', { DATA_DIR: data_dir });
    const { url } = server;
    const drives = await organizations(url, 3);
    const stopped = server;
    const answered = (acknowledged: number): void => {
      if (acknowledged === 200) void stopped.kill('SIGTERM');
    };
    const asked = await load({ url, drives, connections: CONNECTIONS, answered });
    expect(await server.ended).toEqual({ code: 0, signal: null });
    const ledger = await readLedger(data_dir);
    expect(complaints(ledger, asked)).toEqual([]);
    const unanswered = asked.filter(({ status }) => status === 0);
    expect(
      unanswered.filter(({ correlation_id }) => ledger.by_request.has(correlation_id)),
    ).toEqual([]);
    for (const { error } of unanswered) expect(['ECONNREFUSED', 'ECONNRESET']).toContain(error);
    const statuses = new Set(asked.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([0, 200]);
  });
});

/** The check itself is checked: an acknowledged command without its events, and half of one, are noticed. */
async function expectToBeNoticed(data_dir: string, asked: readonly Asked[]): Promise<void> {
  const ledger = await readLedger(data_dir);
  const without = (correlation_id: string, events: number) => {
    const by_request = new Map(ledger.by_request);
    by_request.set(correlation_id, by_request.get(correlation_id)!.slice(0, events));
    return complaints({ ...ledger, by_request }, asked);
  };
  const group = asked.find(({ kind, status }) => kind === 'group' && status === 200)!;
  const made = asked.find(({ kind, status }) => kind === 'quickstart' && status === 200)!;
  expect(without(group.correlation_id, 0)).toHaveLength(1);
  expect(without(made.correlation_id, 2)).toHaveLength(1);
}
