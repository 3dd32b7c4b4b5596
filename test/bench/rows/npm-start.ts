import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { median } from '../harness/statistics.js';

const ROUNDS = 5;

/** `npm start` and `npm run ops` as people type them, with nothing to compile. */
export const row: Row = {
  name: 'npm-start',
  async run(bench): Promise<readonly Line[]> {
    const DATA_DIR = await bench.folder();
    const run = (args: readonly string[], until?: string): Promise<number> =>
      seconds(args, { ...process.env, DATA_DIR, PORT: '0' }, until);
    // The first run compares contents and compiles what Node.js keeps for the next.
    const [start_s, ops_s, npm_s]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const started = await run(['start'], 'listening on');
      const asked = await run(['run', '-s', 'ops', '--', 'orgs']);
      const bare = await run(['prefix']);
      if (round === 0) continue;
      start_s.push(started);
      ops_s.push(asked);
      npm_s.push(bare);
    }
    const reference = `npm by itself (npm prefix) ${show(median(npm_s))} s`;
    const line = (what: string, target_s: number, taken_s: readonly number[]): Line => ({
      ...{ what, reference, target: `≤ ${target_s} s`, measured: `${show(median(taken_s))} s` },
      holds: median(taken_s) <= target_s,
      figures: { median_s: median(taken_s), npm_s: median(npm_s) },
    });
    return [
      line('`npm start` with nothing to compile, to listening', 1.5, start_s),
      line('`npm run -s ops -- orgs` with nothing to compile, to its end', 0.7, ops_s),
    ];
  },
};

/** How long npm takes until it has said something, or to its end; ended by a signal where it goes on. */
async function seconds(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  until?: string,
): Promise<number> {
  const began = performance.now();
  const child = spawn('npm', args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let said = '';
  let taken = 0;
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString();
    if (taken > 0 || until === undefined || !said.includes(until)) return;
    taken = performance.now() - began;
    child.kill('SIGTERM');
  });
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}: ${said}`);
  return (taken || performance.now() - began) / 1000;
}
