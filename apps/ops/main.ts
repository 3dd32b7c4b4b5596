import { runOps } from './program.js';

const { stdout, stderr, argv, env } = process;

process.exitCode = await runOps(argv.slice(2), {
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
  is_watched: stderr.isTTY,
  env,
}).catch((error: unknown) => {
  console.error(error);
  return 1;
});
