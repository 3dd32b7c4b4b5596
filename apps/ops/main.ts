import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { onStopSignals } from '../../libs/threads/stop-signals.js';

const INTERRUPTED = 130;
/** The first signal stops a command that writes in order; any other command, and a later signal, end at once. */
let stop = (): void => process.exit(INTERRUPTED);
onStopSignals(
  () => stop(),
  () => process.exit(INTERRUPTED),
);
// What takes time to load comes after that.
const { EXIT, Failure } = await import('./failure.js');
const { runOps } = await import('./program.js');

const { stdin, stdout, stderr, argv, env } = process;

function interruptible(): AbortSignal {
  const stopping = new AbortController();
  stop = () =>
    stopping.abort(
      new Failure(
        'Stopped; repeat the same command to resume or to begin again.',
        EXIT.interrupted,
      ),
    );
  return stopping.signal;
}

async function askSecret(question: string): Promise<string> {
  stderr.write(question);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: hidden, terminal: true });
  reader.on('SIGINT', () => process.exit(EXIT.interrupted));
  try {
    return await reader.question('');
  } catch (error) {
    throw new Failure('Nothing was entered.', EXIT.interrupted, { cause: error });
  } finally {
    reader.close();
    stderr.write('\n');
  }
}

// Whoever reads the output may stop reading it, as `head` does.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  stderr.write(`The output cannot be written: ${error.message}.\n`);
  process.exit(EXIT.refused);
});
// All files are written for the process's user alone.
process.umask(0o077);
process.exitCode = await runOps(argv.slice(2), {
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  is_watched: stderr.isTTY,
  screen: stderr,
  env,
  interruptible,
  ...(stdin.isTTY && { askSecret }),
}).catch((error: unknown) => {
  console.error(error);
  return 1;
});
