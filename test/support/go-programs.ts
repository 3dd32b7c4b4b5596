import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** Also for compiled code, which lies elsewhere. */
const REPOSITORY = dirname(findPackageJSON(import.meta.url)!);
const CACHE = join(REPOSITORY, 'node_modules/.cache/go-programs');

/** Programs in Go that tests run, each in its folder below `test`. */
const FOLDERS = {
  mongodb: 'servers/mongodb',
  s3: 'servers/s3',
  compose: 'docs/compose',
} as const;
export type GoProgram = keyof typeof FOLDERS;

/** What a program changes of a module that it is built with. */
interface Changes {
  readonly module: string;
  /** Texts that a file of the module holds once, and what stands there instead. */
  readonly texts: readonly { file: string; text: string; instead: string }[];
  /** Files of the program's folder, and which files of the module they become. */
  readonly files: Readonly<Record<string, string>>;
}
const CHANGES = 'module-changes.json';

/**
 * The path of a program. It is built if nobody has built these sources yet: a first build downloads
 * modules and takes up to three minutes.
 * @throws Error when it cannot be built
 */
export function goProgram(name: GoProgram): string {
  const folder = sourcesOf(name);
  const program = join(CACHE, `${name}-${contentHash(folder)}`);
  if (existsSync(program)) return program;
  mkdirSync(CACHE, { recursive: true });
  // Several processes may build at a time: each into a place of its own, moved when it is whole.
  const aside = `${program}.${process.pid}`;
  const changed = mkdtempSync(join(tmpdir(), 'go-module-'));
  try {
    const args = [
      '-trimpath',
      '-buildvcs=false',
      '-ldflags=-s -w',
      ...changedModule(name, changed),
    ];
    go(name, 'build', ...args, '-o', aside, '.');
  } finally {
    rmSync(changed, { recursive: true });
  }
  renameSync(aside, program);
  return program;
}

function go(name: GoProgram, ...args: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync('go', args, {
    cwd: sourcesOf(name),
    encoding: 'utf8',
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  if (error)
    throw new Error(`the tests' program ${name} needs Go 1.25 or later in PATH`, { cause: error });
  if (status !== 0) throw new Error(`the tests' program ${name} was not built:\n${stderr}`);
  return stdout;
}

/** Arguments that let a build take a module as the program changes it. */
function changedModule(name: GoProgram, aside: string): string[] {
  const folder = sourcesOf(name);
  const described = join(folder, CHANGES);
  if (!existsSync(described)) return [];
  const { module, texts, files } = JSON.parse(readFileSync(described, 'utf8')) as Changes;
  const downloaded = JSON.parse(go(name, 'mod', 'download', '-json', module)) as { Dir: string };
  const copy = join(aside, 'module');
  // Downloaded files are read-only.
  for (const one of readdirSync(downloaded.Dir, { recursive: true, withFileTypes: true })) {
    if (!one.isFile()) continue;
    const folder_of_copy = join(copy, relative(downloaded.Dir, one.parentPath));
    mkdirSync(folder_of_copy, { recursive: true });
    const bytes = readFileSync(join(one.parentPath, one.name));
    writeFileSync(join(folder_of_copy, one.name), bytes);
  }
  for (const { file, text, instead } of texts) {
    const original = readFileSync(join(copy, file), 'utf8');
    if (original.split(text).length !== 2)
      throw new Error(`${file} of ${module} does not hold once what is to be changed: ${text}`);
    writeFileSync(
      join(copy, file),
      original.replace(text, () => instead),
    );
  }
  for (const [file, place] of Object.entries(files))
    copyFileSync(join(folder, file), join(copy, place));
  const modules = join(aside, 'go.mod');
  copyFileSync(join(folder, 'go.sum'), join(aside, 'go.sum'));
  copyFileSync(join(folder, 'go.mod'), modules);
  go(name, 'mod', 'edit', `-replace=${module}=${copy}`, modules);
  return [`-modfile=${modules}`];
}

/** The folder of a program's sources. */
export function sourcesOf(name: GoProgram): string {
  return join(REPOSITORY, 'test', FOLDERS[name]);
}

function contentHash(folder: string): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.go$|^go\.(?:mod|sum)$|^module-changes\.json$/.test(file),
  );
  for (const file of sources.sort()) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Files that gofmt would write otherwise. */
function unformatted(folder: string): string {
  return execFileSync('gofmt', ['-l', '.'], { cwd: folder, encoding: 'utf8' });
}

// Run ahead of the tests, so that none of them waits for a compiler.
if (import.meta.main)
  for (const name of Object.keys(FOLDERS) as GoProgram[]) {
    goProgram(name);
    const found = unformatted(sourcesOf(name));
    if (found) throw new Error(`to be formatted by gofmt:\n${found}`);
  }
