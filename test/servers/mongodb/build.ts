import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['go.mod', 'go.sum', 'main.go', 'turnstile.go'];
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/test-servers');

/**
 * The path of the server's program. It is built if nobody has built these sources yet: a first build
 * downloads modules and takes up to two minutes.
 * @throws Error when it cannot be built
 */
export function builtServer(): string {
  const program = join(CACHE, `mongodb-${contentHash()}`);
  if (existsSync(program)) return program;
  mkdirSync(CACHE, { recursive: true });
  // Several processes may build at a time: each into a place of its own, moved when it is whole.
  const aside = `${program}.${process.pid}`;
  const args = ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', aside, '.'];
  const { error, status, stderr } = spawnSync('go', args, {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  if (error)
    throw new Error('the MongoDB server for tests needs Go in PATH, or MONGODB_URL', {
      cause: error,
    });
  if (status !== 0) throw new Error(`the MongoDB server for tests was not built:\n${stderr}`);
  renameSync(aside, program);
  return program;
}

function contentHash(): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const name of SOURCES) hash.update(readFileSync(join(import.meta.dirname, name)));
  return hash.digest('hex').slice(0, 16);
}

/** Files that gofmt would write otherwise. */
function unformatted(): string {
  return execFileSync('gofmt', ['-l', '.'], { cwd: import.meta.dirname, encoding: 'utf8' });
}

// Run ahead of the tests, so that none of them waits for a compiler.
if (import.meta.main && !process.env.MONGODB_URL) {
  builtServer();
  const found = unformatted();
  if (found) throw new Error(`to be formatted by gofmt:\n${found}`);
}
