import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, utimesSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContentFiles } from '../../libs/content-store/files/content-files.js';
import { sealedSize } from '../../libs/content-store/sealed.js';
import { streamOf } from '../../libs/engine/fold/fold.js';
import { Client, type Organization } from '../support/client.js';
import { download, sha256Of } from '../support/content.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { ops } from '../support/ops.js';
import { buildServer, ServiceProcess } from '../support/processes.js';
import { onSmallContents } from '../support/small-contents.js';
import { readLedger } from './ledger.js';
import { organizations } from './load.js';

const KILLS = Number(process.env.UPLOAD_KILLS ?? 2);
const UPLOADS = 200;
const LARGEST_BYTES = 512 * 1024;
const SMALLEST_FILE_BYTES = 16 * 1024;
/** Files that are created, or downloaded, in parallel. */
const AT_ONCE = 20;
const DAY_MS = 86_400_000;
const WITHIN_MS = 60_000 + KILLS * 60_000;

interface UploadedFile {
  readonly id: string;
  /** SHA-256 of the content that it certainly had; '' for none. */
  content: string;
  /** Of the content that was sent to it last. */
  sent: string;
  /** The service has acknowledged what was sent. */
  is_acknowledged: boolean;
}

/** What a kill left. */
interface Round {
  readonly acknowledged: number;
  /** Unacknowledged uploads whose event was stored. */
  readonly stored_unacknowledged: number;
  /** Writes that the kill interrupted. */
  readonly unfinished: number;
  /** Contents that no event names. */
  readonly unreferenced: number;
}

describe('a server process killed amid parallel uploads', () => {
  let data_dir: string;
  let server: ServiceProcess | undefined;

  beforeAll(() => buildServer(), WITHIN_MS);
  beforeEach(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'drive-uploads-'));
  });
  afterEach(async () => {
    await server?.kill('SIGKILL');
    await rm(data_dir, { recursive: true, force: true });
  });

  const start = async (): Promise<string> => {
    server = await ServiceProcess.start('api', {
      DATA_DIR: data_dir,
      // One organization has half of them.
      CONTENT_UPLOADS_MAX: String(2 * UPLOADS),
    });
    return server.url;
  };
  const unfinished = (): number => readdirSync(join(data_dir, 'content', '.writing')).length;

  it(`${KILLS} times keeps every acknowledged upload whole, and serves no part of another one`, async () => {
    let url = await start();
    const [org] = (await organizations(url, 1)) as [Organization];
    const disk = await makeDisk(org);
    const files: UploadedFile[] = [];
    for (let from = 0; from < UPLOADS; from += AT_ONCE) {
      const names = Array.from({ length: AT_ONCE }, (_, nth) => `file ${from + nth}.bin`);
      const made = await Promise.all(names.map((name) => makeFile(org.admin, disk, name)));
      for (const { id } of made) files.push({ id, content: '', sent: '', is_acknowledged: false });
    }
    const rounds: Round[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      // Small contents are answered first.
      const answers = randomInt(UPLOADS * 0.9);
      const client = at(url, org.admin);
      const acknowledged = await uploadUntilKilled(server!, client, files, answers);
      expect(await server!.ended).toEqual({ code: null, signal: 'SIGKILL' });
      const left = { acknowledged, unfinished: unfinished(), ...(await ledgerOf(data_dir, org)) };
      url = await start();
      expect(unfinished()).toBe(0);
      const admin = at(url, org.admin);
      rounds.push({ ...left, stored_unacknowledged: await check(admin, files) });
    }
    console.info(figuresOf(rounds));
    expect(rounds.some(({ acknowledged }) => acknowledged > 0)).toBe(true);
    // With few kills, each may come between two writes.
    expect(KILLS < 10 || rounds.some((round) => round.unfinished > 0)).toBe(true);
    const { data } = await at(url, org.admin).post('/organization/replay', { verify: true });
    expect(data.verified).toBe(true);
    await server!.kill('SIGKILL');
    await leaveUnnamed(data_dir, org);
    await expectToBeSwept(data_dir, org);
  });
});

/** The same client where the service now listens. */
function at(url: string, { base, token }: Client): Client {
  return new Client(url + new URL(base).pathname, token);
}

/** Sends a content to each file at one time; kills the process after some answers. @returns acknowledged uploads */
async function uploadUntilKilled(
  server: ServiceProcess,
  admin: Client,
  files: readonly UploadedFile[],
  answers: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  let acknowledged = 0;
  await Promise.all(
    files.map(async (file) => {
      // Half of them are small contents, which share a database.
      const bytes = randomBytes(randomInt(randomInt(2) ? SMALLEST_FILE_BYTES : LARGEST_BYTES));
      file.sent = sha256Of(bytes);
      file.is_acknowledged = false;
      const status = await put(agent, admin, file.id, bytes);
      expect([0, 200]).toContain(status);
      if (status !== 200) return;
      file.is_acknowledged = true;
      if (++acknowledged > answers) void server.kill('SIGKILL');
    }),
  );
  agent.destroy();
  return acknowledged;
}

/** @returns the status; 0 if the connection ended without an answer */
async function put(agent: Agent, client: Client, id: string, bytes: Buffer): Promise<number> {
  const request = httpRequest(`${client.base}/directory/content/${id}`, {
    agent,
    method: 'PUT',
    headers: { authorization: `Bearer ${client.token!}`, 'content-length': bytes.length },
  });
  request.end(bytes);
  try {
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
    return response.complete ? response.statusCode : 0;
  } catch {
    return 0;
  }
}

/** Downloads every file. @returns how many have a content whose upload was not acknowledged */
async function check(admin: Client, files: readonly UploadedFile[]): Promise<number> {
  let unacknowledged = 0;
  for (let from = 0; from < files.length; from += AT_ONCE)
    await Promise.all(
      files.slice(from, from + AT_ONCE).map(async (file) => {
        const { status, bytes } = await download(admin, file.id);
        const found = status === 200 ? sha256Of(bytes) : '';
        expect([200, 404]).toContain(status);
        expect(file.is_acknowledged ? [file.sent] : [file.sent, file.content]).toContain(found);
        if (!file.is_acknowledged && found === file.sent) unacknowledged++;
        file.content = found;
      }),
    );
  return unacknowledged;
}

/** Stores a content that no event names, as a kill before the append leaves it; few kills may have left none. */
async function leaveUnnamed(data_dir: string, { drive_id }: Organization): Promise<void> {
  const store = await ContentFiles.open(join(data_dir, 'content'));
  await store.write({ drive_id, content_id: 'ContentID_unnamed' }, [randomBytes(100)]);
  await store.close();
}

/** What no event names is swept once it is old, and nothing else; everything that is left is whole. */
async function expectToBeSwept(data_dir: string, org: Organization): Promise<void> {
  const folder = join(data_dir, 'content');
  const then = Math.floor((Date.now() - 2 * DAY_MS) / 1000);
  for (const name of readdirSync(folder, { recursive: true }) as string[])
    utimesSync(join(folder, name), then, then);
  onSmallContents(folder, 'UPDATE contents SET stored_ms = ?', then * 1000);
  const { unreferenced } = await ledgerOf(data_dir, org);
  expect(unreferenced).toBeGreaterThan(0);
  const swept = await ops(['content', 'sweep', '--apply', '--data-dir', data_dir, '--json']);
  expect([swept.code, swept.err]).toEqual([0, '']);
  expect(JSON.parse(swept.out)).toMatchObject([{ contents: 0, leftovers: unreferenced }]);
  expect((await ledgerOf(data_dir, org)).unreferenced).toBe(0);
  const verified = await ops(['verify', '--content', '--data-dir', data_dir]);
  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('all fit')]);
}

/** Checks that the store has all bytes that the events of a drive name. */
async function ledgerOf(data_dir: string, { drive_id }: Organization) {
  const { streams } = await readLedger(data_dir);
  const store = ContentFiles.reading(join(data_dir, 'content'));
  const stored = new Map<string, number>();
  for (let after = ''; ;) {
    const page = await store.list(drive_id, after, 1000);
    if (page.length === 0) break;
    for (const { content_id, bytes } of page) stored.set(content_id, bytes);
    after = page.at(-1)!.content_id;
  }
  await store.close();
  let named = 0;
  for (const { type, data } of streams.get(streamOf(drive_id)) ?? []) {
    if (type !== 'FileContentStored') continue;
    const { content_id, size } = JSON.parse(data) as { content_id: string; size: number };
    expect(stored.get(content_id)).toBe(sealedSize(size));
    named++;
  }
  return { unreferenced: stored.size - named };
}

function figuresOf(rounds: readonly Round[]): string {
  const sum = (member: keyof Round): number =>
    rounds.reduce((all, round) => all + round[member], 0);
  return [
    `${rounds.length} kills, ${rounds.length * UPLOADS} uploads: ${sum('acknowledged')} acknowledged,`,
    `${sum('stored_unacknowledged')} stored without an answer, ${sum('unfinished')} interrupted writes,`,
    `${rounds.at(-1)!.unreferenced} contents that no event names`,
  ].join(' ');
}
