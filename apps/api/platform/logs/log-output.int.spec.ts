import { spawnSync } from 'node:child_process';

const OUTPUT = new URL('log-output.ts', import.meta.url);
const PINO = import.meta.resolve('pino');

/** Logs into a pipe whose reader is gone, and ends, in a process of its own: it may not come to its end. */
const PROGRAM = `
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logOutput } from ${JSON.stringify(OUTPUT.href)};
import { pino } from ${JSON.stringify(PINO)};
const folder = fs.mkdtempSync(join(tmpdir(), 'log-output-'));
const path = join(folder, 'pipe');
execFileSync('mkfifo', [path]);
const reader = fs.openSync(path, 'r+');
const logger = pino({}, logOutput(fs.openSync(path, 'w')));
fs.closeSync(reader);
fs.rmSync(folder, { recursive: true });
logger.info('to nobody');
logger.fatal('to nobody either');
logger.info('on the way when the process ends');
process.stderr.write('went on');
process.exit(7);
`;

it('a process continues and exits after the reader of its log has ended', () => {
  const flags = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...flags, '--input-type=module', '-e', PROGRAM],
    { encoding: 'utf8', timeout: 20_000 },
  );
  expect([status, stderr]).toEqual([7, 'went on']);
});
