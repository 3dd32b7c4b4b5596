import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as after } from 'node:timers/promises';
import { streamOf } from '../../libs/engine/fold/fold.js';
import { EngineSpec, Note } from '../../libs/engine/testing/engine.js';
import { exportedKeys, exportedParts, planExport } from '../../libs/engine/transfer/export.js';
import { KeyFileWriter } from '../../libs/engine/transfer/key-file.js';
import { freshDriveId } from '../../libs/identity/derive.js';
import { lineOf } from '../../libs/proofs/stream-file.js';
import { OpsProcess } from '../support/ops.js';
import { buildServer, ServiceProcess } from '../support/processes.js';

const EVENTS = 12_000;
const AT_ONCE = 4000;
const DRIVE = freshDriveId();
const PASSPHRASE = 'a long enough passphrase';

describe('an import that is broken off', () => {
  let folder: string;
  let source: EngineSpec;
  let file: string;
  let keys: string;

  beforeAll(async () => {
    await buildServer();
    folder = mkdtempSync(join(tmpdir(), 'import-'));
    [file, keys] = [join(folder, 'one.ndjson'), join(folder, 'one.keys')];
    source = new EngineSpec();
    await source.spawn(DRIVE);
    for (let at = 0; at < EVENTS; at += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, nth) =>
          source.run(Note, { payload: `${at + nth} `.repeat(40) }, { drive_id: DRIVE }),
        ),
      );
    const plan = await planExport(source.events, { drive_ids: [DRIVE] });
    const writer = await KeyFileWriter.begin(plan.export_id, { passphrase: PASSPHRASE });
    const lines: string[] = [];
    for await (const part of exportedParts(source.events, plan, { now: 1 }))
      lines.push(lineOf(part));
    writeFileSync(file, `${lines.join('\n')}\n`);
    const held = await exportedKeys(source.side.keys, DRIVE, new Set());
    const sealed = [writer.header, ...writer.add(DRIVE, held), writer.end()];
    writeFileSync(keys, `${sealed.join('\n')}\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const importing = (data_dir: string): OpsProcess =>
    new OpsProcess(['import', file, '--keys', keys, '--data-dir', data_dir, '--json'], {
      KEYS_PASSPHRASE: PASSPHRASE,
    });
  /** The drive's events that are in a folder. */
  const stored = (data_dir: string): unknown[] => {
    const db = new DatabaseSync(join(data_dir, 'events.db'), { readOnly: true });
    try {
      const sql =
        'SELECT revision, event_id, metadata, data, hex(hash) AS hash FROM events WHERE stream_id = ' +
        '(SELECT id FROM streams WHERE name = ?) ORDER BY revision';
      return db.prepare(sql).all(streamOf(DRIVE));
    } finally {
      db.close();
    }
  };
  const countIn = (data_dir: string): number => {
    try {
      const db = new DatabaseSync(join(data_dir, 'events.db'), { readOnly: true });
      try {
        const sql = `SELECT COUNT(*) AS count FROM events JOIN streams ON stream_id = id WHERE name = ?`;
        return db.prepare(sql).get(streamOf(DRIVE))!.count as number;
      } finally {
        db.close();
      }
    } catch {
      // Its files are only being made.
      return 0;
    }
  };
  /** Waits until some of it is there, but not all. */
  const underWay = async (data_dir: string, run: OpsProcess): Promise<void> => {
    const ended = run.ended.then(() => true);
    while (countIn(data_dir) === 0)
      if (await Promise.race([ended, after(5).then(() => false)])) throw new Error(run.err);
  };
  const statusOf = async (data_dir: string): Promise<number> => {
    const server = await ServiceProcess.start('api', { DATA_DIR: data_dir });
    const { status } = await fetch(`${server.url}/v1/drive/${DRIVE}/organization/about`);
    await server.kill('SIGTERM');
    return status;
  };

  /** An import that a signal ended when some of it was there. */
  const brokenOff = async (data_dir: string, signal: NodeJS.Signals) => {
    const run = importing(data_dir);
    await underWay(data_dir, run);
    run.kill(signal);
    const ended = await run.ended;
    return { ended, err: run.err, there: countIn(data_dir) };
  };

  /** What it says until then, a line a second: on a slow machine it says something. */
  const progress = /^(?:\w+: \d+ of .*\n)*$/;

  it.each<[string, NodeJS.Signals, { code: number | null; signal: string | null }, RegExp]>([
    ['kill -9', 'SIGKILL', { code: null, signal: 'SIGKILL' }, progress],
    ['SIGTERM', 'SIGTERM', { code: 130, signal: null }, /repeat the same command to resume/],
    ['Ctrl-C', 'SIGINT', { code: 130, signal: null }, /repeat the same command to resume/],
  ])('by %s goes on with the same command', async (_, signal, end, says) => {
    const data_dir = join(folder, signal);
    const { ended, err, there } = await brokenOff(data_dir, signal);
    expect(ended).toEqual(end);
    expect(err).toMatch(says);
    expect(there).toBeGreaterThan(0);
    expect(there).toBeLessThanOrEqual(EVENTS + 1);
    const second = importing(data_dir);
    expect(await second.ended).toEqual({ code: 0, signal: null });
    const { streams } = JSON.parse(second.out);
    expect(streams).toMatchObject([{ written: EVENTS + 1 - there, missing_keys: 0 }]);
    const drive = await source.drives.open(DRIVE);
    expect(streams[0].state_hash).toBe(drive.folded.hash.root());
    const all = await source.events.readStream(streamOf(DRIVE), 0, 'forward', EVENTS + 1);
    expect(stored(data_dir)).toEqual(
      all.map(({ revision, event_id, metadata, data, hash }) => ({
        ...{ revision, event_id, metadata, data },
        hash: Buffer.from(hash).toString('hex').toUpperCase(),
      })),
    );
  });

  it('leaves the organization closed until it has come to its end', async () => {
    const data_dir = join(folder, 'closed');
    await brokenOff(data_dir, 'SIGKILL');
    expect(await statusOf(data_dir)).toBe(503);
    expect((await importing(data_dir).ended).code).toBe(0);
    expect(await statusOf(data_dir)).toBe(401);
  });
});
