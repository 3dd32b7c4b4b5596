import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { get, LoadClient, type LoadResult, post } from '../harness/load.js';
import { type Made, makeOrganizations } from '../harness/organizations.js';
import { Child } from '../harness/process.js';
import { show } from '../harness/report.js';
import type { Bench, Line, Row } from '../harness/row.js';
import { startService } from '../harness/servers.js';
import { median, percentile } from '../harness/statistics.js';
import { call, receive, send } from '../harness/transfer.js';

const run = promisify(execFile);

const MIB = 2 ** 20;
const FRAME_BYTES = 64 * 1024;
const CONNECTIONS = 32;
const RANGES = 1_000;
/** Ranges before those measured: after the transfers the client itself collects garbage first. */
const FIRST_RANGES = 30;
/** Time for a process to start, which would take a processor from what is measured. */
const START_MS = 1_500;

interface Servers {
  readonly service: Child;
  readonly bare: Child;
  readonly folder: string;
  readonly made: Made;
  readonly disk: { readonly id: string; readonly root_folder: string };
}

/** Content of files: uploads and downloads beside bare ones, small files, ranges, and others meanwhile. */
export const row: Row = {
  name: 'content',
  async run(bench) {
    const folder = await bench.folder();
    const service = await startService(bench, folder);
    const bare = await Child.server('bare-content', { env: { BARE_FOLDER: folder } });
    try {
      const [made] = await makeOrganizations(service, 1);
      const listed = await call(service, made!, 'disks/list', {});
      const servers = { service, bare, folder, made: made!, disk: listed.ok.data.items[0] };
      const large = await largeFile(bench, servers);
      return [...large, await smallFiles(bench, servers), await memory(bench, servers)];
    } finally {
      await Promise.all([service.stop(), bare.stop()]);
    }
  },
};

async function makeFile({ service, made, disk }: Servers, name: string): Promise<string> {
  const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id, file_size: 0 };
  const actions = [{ action: 'CREATE_FILE', payload: { name, ...place } }];
  const [outcome] = await call(service, made, 'directory/action', { actions });
  return outcome.response.result.file.id as string;
}

function pathsOf({ made: { drive_id, token } }: Servers, file_id: string) {
  const base = `/v1/drive/${drive_id}/directory`;
  return {
    content: `${base}/content/${file_id}`,
    asset: `${base}/asset/${file_id}.bin`,
    headers: { authorization: `Bearer ${token}` },
  };
}

async function largeFile(bench: Bench, servers: Servers): Promise<Line[]> {
  const { service, bare, folder } = servers;
  const bytes = (bench.is_quick ? 256 : 1024) * MIB;
  const rounds = bench.is_quick ? 2 : 3;
  const up: number[] = [];
  const bare_up: number[] = [];
  const plain_steps: number[] = [];
  const down: number[] = [];
  const bare_down: number[] = [];
  const file_id = await makeFile(servers, 'large.bin');
  const { content, asset, headers } = pathsOf(servers, file_id);
  for (let round = 0; round < rounds; round++) {
    bench.progress(`content: round ${round + 1} of ${rounds}`);
    up.push(await send(service, content, bytes, headers));
    bare_up.push(await send(bare, '/plain.bin', bytes));
    plain_steps.push(
      await Child.inside<number>('rows/content', { path: join(folder, 'steps.bin'), bytes }),
    );
    // The disk must not be busy with what was written before.
    await run('sync');
    down.push((await receive(service, asset, headers)).seconds);
    bare_down.push((await receive(bare, '/plain.bin')).seconds);
  }
  const rate = (seconds: readonly number[]): number => bytes / MIB / median(seconds);
  const upload_ratio = rate(up) / rate(plain_steps);
  const download_ratio = rate(down) / rate(bare_down);
  const first: number[] = [];
  for (let nth = 0; nth < FIRST_RANGES + RANGES; nth++) {
    const from = Math.floor((nth / (FIRST_RANGES + RANGES)) * (bytes - 1000));
    const range = { ...headers, range: `bytes=${from}-${from + 999}` };
    const { first_ms } = await receive(service, asset, range);
    if (nth >= FIRST_RANGES) first.push(first_ms);
  }
  const others = await othersMeanwhile(bench, servers, content, bytes, headers);
  const size = `${bytes / MIB} MiB`;
  return [
    {
      what: `upload of ${size} by PUT, hashed, encrypted, on the disk`,
      target: '≥ 0.5 × the same steps in one process',
      measured: `${show(rate(up))} MiB/s, ${show(upload_ratio)} ×`,
      reference: `the steps ${show(rate(plain_steps))} MiB/s; a bare server that only writes ${show(rate(bare_up))} MiB/s`,
      holds: upload_ratio >= 0.5,
      figures: { up: rate(up), steps: rate(plain_steps), bare_up: rate(bare_up), upload_ratio },
    },
    {
      what: `download of ${size}`,
      target: '≥ 0.5 × bare Fastify with a plain file',
      measured: `${show(rate(down))} MiB/s, ${show(download_ratio)} ×`,
      reference: `bare ${show(rate(bare_down))} MiB/s`,
      holds: download_ratio >= 0.5,
      figures: { down: rate(down), bare_down: rate(bare_down), download_ratio },
    },
    {
      what: `first byte of a range of 1,000 bytes in ${size}`,
      target: 'p99 ≤ 10 ms',
      measured: `p50 ${show(percentile(first, 0.5))} ms, p99 ${show(percentile(first, 0.99))} ms`,
      reference: '',
      holds: percentile(first, 0.99) <= 10,
      figures: { first_p50_ms: percentile(first, 0.5), first_p99_ms: percentile(first, 0.99) },
    },
    others,
  ];
}

/**
 * Reads of another organization while a large upload is received. The same reads while another process receives the
 * upload show what the machine's processors and disk alone do to them; a bare server under the same load is beside it.
 */
async function othersMeanwhile(
  bench: Bench,
  { service, bare }: Servers,
  content: string,
  bytes: number,
  headers: Record<string, string>,
): Promise<Line> {
  const [other] = await makeOrganizations(service, 1);
  const list = post(`/v1/drive/${other!.drive_id}/contacts/list`, '{}', other!.token);
  const upload = { port: service.port, path: content, bytes, headers };
  const { idle, busy, ratio } = await meanwhile(bench, service, list, upload);
  const bare_upload = { port: bare.port, path: '/plain.bin', bytes, headers: {} };
  const machine = await meanwhile(bench, service, list, bare_upload);
  const floor = await meanwhile(bench, bare, get('/'), bare_upload);
  return {
    what: 'lists of others during an upload, 4 connections',
    target: 'p99 ≤ 2 × idle',
    measured: `p99 ${show(busy.p99_ms)} ms, ${show(ratio)} × idle (p50 ${show(busy.p50_ms)} ms)`,
    reference:
      `idle p99 ${show(idle.p99_ms)} ms (p50 ${show(idle.p50_ms)} ms); while another process receives it ` +
      `p99 ${show(machine.busy.p99_ms)} ms, ${show(machine.ratio)} × idle (p50 ${show(machine.busy.p50_ms)} ms); ` +
      `bare p99 ${show(floor.busy.p99_ms)} ms, ${show(floor.ratio)} × idle`,
    holds: ratio <= 2,
    figures: {
      ...{ busy_p99_ms: busy.p99_ms, busy_p50_ms: busy.p50_ms, idle_p99_ms: idle.p99_ms, ratio },
      ...{ machine_p99_ms: machine.busy.p99_ms, machine_ratio: machine.ratio },
      ...{ bare_busy_p99_ms: floor.busy.p99_ms, bare_ratio: floor.ratio },
    },
  };
}

/** Latencies of a request to a server before and during uploads from another process. */
async function meanwhile(
  bench: Bench,
  { port }: Child,
  request: string,
  upload: Omit<Sent, 'begins_ms'>,
): Promise<{ idle: LoadResult; busy: LoadResult; ratio: number }> {
  const client = await LoadClient.connect(port, 4);
  const load = { next: () => request, pause_ms: 2 };
  try {
    await run('sync');
    await client.run({ ...load, duration_ms: 1_000 });
    const idle = await client.run({ ...load, duration_ms: bench.is_quick ? 2_000 : 5_000 });
    const ended = new AbortController();
    // In a process of its own: the client of the lists would wait for it.
    const begins_ms = Date.now() + START_MS;
    const uploading = Child.inside<number>('rows/content', { ...upload, begins_ms }).finally(() =>
      ended.abort(),
    );
    await setTimeout(START_MS);
    const busy = await client.run({ ...load, duration_ms: 60_000, until: ended.signal });
    await uploading;
    return { idle, busy, ratio: busy.p99_ms / idle.p99_ms };
  } finally {
    client.close();
  }
}

/** Files of 4 KiB, created and uploaded, beside commands that are as durable. */
async function smallFiles(bench: Bench, servers: Servers): Promise<Line> {
  const { service, made, disk } = servers;
  const client = await LoadClient.connect(service.port, CONNECTIONS);
  const duration_ms = bench.is_quick ? 2_000 : 8_000;
  let nth = 0;
  try {
    const groups = `/v1/drive/${made.drive_id}/groups/create`;
    const command = () => post(groups, JSON.stringify({ name: `Group ${nth++}` }), made.token);
    await client.run({ duration_ms: 1_000, next: command });
    const commands = await client.run({ duration_ms, next: command });
    const content = randomBytes(2048).toString('hex');
    const file_ids: string[] = [];
    const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id, file_size: 0 };
    const creation = (): string => {
      const id = `FileID_small-${nth++}`;
      file_ids.push(id);
      const actions = [{ action: 'CREATE_FILE', payload: { id, name: `${id}.txt`, ...place } }];
      const path = `/v1/drive/${made.drive_id}/directory/action`;
      return post(path, JSON.stringify({ actions }), made.token);
    };
    const created = await client.run({ duration_ms, next: creation });
    let uploads = 0;
    const upload = (): string => {
      const { content: path, headers } = pathsOf(servers, file_ids[uploads++ % file_ids.length]!);
      const head = ['host: bench', `authorization: ${headers.authorization}`];
      const length = `content-length: ${content.length}`;
      return [`PUT ${path} HTTP/1.1`, ...head, length, '', content].join('\r\n');
    };
    const uploaded = await client.run({ duration_ms, next: upload });
    const in_two = 1 / (1 / created.per_second + 1 / uploaded.per_second);
    const put = (): string => {
      const path = `/v1/drive/${made.drive_id}/directory/content/${disk.root_folder}/put-${nth++}.txt`;
      const head = ['host: bench', `authorization: Bearer ${made.token}`];
      const length = `content-length: ${content.length}`;
      return [`PUT ${path} HTTP/1.1`, ...head, length, '', content].join('\r\n');
    };
    const { per_second, p99_ms } = await client.run({ duration_ms, next: put });
    const ratio = commands.per_second / per_second;
    return {
      what: `files of 4 KiB, created and uploaded, ${CONNECTIONS} connections`,
      target: 'within 2 × a durable command',
      measured: `${show(per_second)}/s, ${show(ratio)} ×, p99 ${show(p99_ms)} ms`,
      reference:
        `durable commands ${show(commands.per_second)}/s, p99 ${show(commands.p99_ms)} ms; ` +
        `in two requests ${show(in_two)}/s (creations ${show(created.per_second)}/s, ` +
        `uploads ${show(uploaded.per_second)}/s, p99 ${show(uploaded.p99_ms)} ms)`,
      holds: ratio <= 2,
      figures: { per_second, commands_per_second: commands.per_second, ratio },
    };
  } finally {
    client.close();
  }
}

/** Memory of the service while a large content goes up and down. */
async function memory(bench: Bench, servers: Servers): Promise<Line> {
  const { service } = servers;
  const bytes = (bench.is_quick ? 256 : 2048) * MIB;
  const file_id = await makeFile(servers, 'memory.bin');
  const { content, asset, headers } = pathsOf(servers, file_id);
  const before = service.memory();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, service.memory())), 50);
  try {
    await send(service, content, bytes, headers);
    await receive(service, asset, headers);
  } finally {
    clearInterval(timer);
  }
  return {
    what: `memory while ${bytes / MIB} MiB go up and down`,
    target: '≤ 150 MiB more than before',
    measured: `${show((most - before) / MIB)} MiB more`,
    reference: `${show(before / MIB)} MiB before`,
    holds: most - before <= 150 * MIB,
    figures: { more_bytes: most - before, before_bytes: before },
  };
}

/** The steps of an upload in one process: SHA-256, AES-256-GCM in frames of 64 KiB, written and brought to the disk. */
async function steps({ path, bytes }: { path: string; bytes: number }): Promise<number> {
  const source = randomBytes(MIB);
  const key = randomBytes(32);
  const hash = createHash('sha256');
  const begun = performance.now();
  const file = await open(path, 'w');
  let frame = 0;
  for (let at = 0; at < bytes; at += MIB) {
    hash.update(source);
    for (let from = 0; from < MIB; from += FRAME_BYTES) {
      const nonce = Buffer.alloc(12);
      nonce.writeUIntBE(frame++, 0, 6);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      await file.writeFile(
        Buffer.concat([
          cipher.update(source.subarray(from, from + FRAME_BYTES)),
          cipher.final(),
          cipher.getAuthTag(),
        ]),
      );
    }
  }
  await file.datasync();
  await file.close();
  hash.digest();
  return (performance.now() - begun) / 1000;
}

interface Sent {
  readonly port: number;
  readonly path: string;
  readonly bytes: number;
  readonly headers: Record<string, string>;
  /** When the upload begins, ms since 1970. */
  readonly begins_ms: number;
}

/** Seconds of the steps, or of an upload from a process of its own. */
export async function inside(input: { path: string; bytes: number } | Sent): Promise<number> {
  if (!('port' in input)) return steps(input);
  const { port, path, bytes, headers, begins_ms } = input;
  await setTimeout(begins_ms - Date.now());
  return send({ port }, path, bytes, headers);
}
