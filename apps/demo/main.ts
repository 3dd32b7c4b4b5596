import { spawn } from 'node:child_process';
import { Command, InvalidArgumentError } from 'commander';
import cliProgress from 'cli-progress';
import { startupErrorOf } from '../../libs/stores/startup-errors.js';
import { SettingsError } from '../../libs/settings/read.js';
import { onStopSignals } from '../../libs/threads/stop-signals.js';
import { JsonLogger } from '../api/platform/logs/logging.js';
import { NoDemoFolder, startDemo } from './start.js';

interface Options {
  readonly folder: string;
  readonly seed: number;
  readonly port: number;
  readonly open: boolean;
}

/** Opens a link in the browser of the machine, if there is one. */
function open(link: string): void {
  const programs: Record<string, string> = { darwin: 'open', win32: 'explorer' };
  const child = spawn(programs[process.platform] ?? 'xdg-open', [link], {
    ...{ stdio: 'ignore', detached: true },
  });
  child.on('error', () => {});
  child.unref();
}

async function run({ folder, seed, port, open: opens }: Options): Promise<void> {
  process.umask(0o077);
  const logger = new JsonLogger('error');
  const bar = new cliProgress.SingleBar({
    format: 'Six months of a company {bar} {percentage}%',
    clearOnComplete: true,
  });
  let is_shown = false;
  const progress = (share: number): void => {
    if (!is_shown) bar.start(1, 0);
    is_shown = true;
    bar.update(share);
  };
  const demo = await startDemo({ folder, seed, port, progress, options: { logger } }).finally(() =>
    bar.stop(),
  );
  const end = (): void => {
    demo.server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  onStopSignals(end, () => process.exit(1));
  console.log(`The demo runs at ${demo.server.url}. Sign in as its owner, Ingrid Solberg:`);
  console.log(demo.login_link);
  console.log(`DRIVE=${demo.drive_id}\nTOKEN=${demo.token}`);
  if (opens) open(demo.login_link);
}

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

new Command('npm run demo --')
  .description('Creates six months of an invented company in a folder, and serves them')
  .option('--folder <folder>', 'data folder; created if it is missing', 'demo-data')
  .option('--seed <number>', 'another number gives another course of events', wholeNumber, 1)
  .option('--port <number>', 'port; 0: any free one', wholeNumber, 3000)
  .option('--open', 'opens the console in the browser', false)
  .action((options: Options) =>
    run(options).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      const is_expected = error instanceof SettingsError || error instanceof NoDemoFolder;
      const expected = is_expected ? (error as Error) : startupErrorOf(error);
      if (code === 'EADDRINUSE') console.error('The port is in use: choose another with --port.');
      else console.error(expected ? expected.message : error);
      process.exit(1);
    }),
  )
  .parse();
