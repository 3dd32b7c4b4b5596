import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ContentFiles } from './content-files.js';

const HERE = import.meta.dirname;
const MIB = 1024 * 1024;

/** Stores one content, and says when a part of another one is in its file. */
const SCRIPT = `
  import { readdirSync, statSync } from 'node:fs';
  import { join } from 'node:path';
  import { ContentFiles } from ${JSON.stringify(join(HERE, 'content-files.ts'))};
  const store = await ContentFiles.open(process.argv[1]);
  const drive_id = 'DriveID_1';
  await store.write({ drive_id, content_id: 'whole' }, (async function* () {
    yield Buffer.alloc(${MIB}, 1);
  })());
  for (let nth = 0; nth < 20; nth++)
    await store.write({ drive_id, content_id: 'small-' + nth }, [Buffer.alloc(nth, 3)]);
  await store.write({ drive_id, content_id: 'half' }, (async function* () {
    yield Buffer.alloc(${MIB}, 2);
    // It is written while the next bytes are awaited.
    const writing = join(process.argv[1], '.writing');
    const written = () => readdirSync(writing).some((name) => statSync(join(writing, name)).size === ${MIB});
    while (!written()) await new Promise((resolve) => setImmediate(resolve));
    console.log('half');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  })());
`;

describe('contents as files, of a process that is killed in the middle of a write', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'content-killed-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are whole or not there, and the rest is removed when the store is opened', async () => {
    const child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        '--experimental-transform-types',
        `--import=${join(HERE, '../../../test/support/resolve-typescript.js')}`,
        ...['--input-type=module', '-e', SCRIPT, folder],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const ended = once(child, 'exit');
    const [line] = await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      ended.then(() => ['ended']),
    ]);
    expect(line).toBe('half');
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);

    const whole = { drive_id: 'DriveID_1', content_id: 'whole' };
    const half = { ...whole, content_id: 'half' };
    const writing = join(folder, '.writing');
    expect(readdirSync(writing).map((name) => statSync(join(writing, name)).size)).toEqual([MIB]);
    const beside = ContentFiles.reading(folder);
    expect([await beside.size(whole), await beside.size(half)]).toEqual([MIB, undefined]);
    await expect(beside.read(half).next()).rejects.toMatchObject({ name: 'ContentMissing' });

    const store = await ContentFiles.open(folder);
    expect(readdirSync(writing)).toEqual([]);
    const small = Array.from({ length: 20 }, (_, nth) => `small-${nth}`);
    const listed = await store.list('DriveID_1', '', 100);
    expect(listed.map(({ content_id }) => content_id)).toEqual([...small, 'whole'].sort());
    for (const [nth, content_id] of small.entries())
      expect(await store.size({ ...whole, content_id })).toBe(nth);
    await store.write(
      half,
      (async function* () {
        yield Buffer.alloc(3);
      })(),
    );
    expect(await store.size(half)).toBe(3);
    await beside.close();
    await store.close();
  });
});
