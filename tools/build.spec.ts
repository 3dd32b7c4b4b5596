import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, NotCompiled } from './build.js';

const REPOSITORY = join(import.meta.dirname, '..');

describe('build', () => {
  let root: string;
  const at = (path: string): string => join(root, path);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const compiled = (): string => readFileSync(at('dist/libs/one.js'), 'utf8');

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'build-'));
    symlinkSync(join(REPOSITORY, 'node_modules'), at('node_modules'));
    // Little to read for the compiler, which is most of what it costs.
    const options = { lib: ['es5'], types: [], module: 'nodenext', target: 'es2024', strict: true };
    write('tsconfig.json', JSON.stringify({ compilerOptions: { ...options, rootDir: '.' } }));
    const own = { outDir: 'dist', incremental: true, tsBuildInfoFile: 'dist/.tsbuildinfo' };
    const build_config = { extends: './tsconfig.json', compilerOptions: own };
    write('tsconfig.build.json', JSON.stringify({ ...build_config, include: ['apps', 'libs'] }));
    write('package.json', '{ "type": "module" }');
    write('package-lock.json', '{}');
    write('libs/one.ts', 'export const one = 1;\n');
    write('apps/two.ts', "export { one } from '../libs/one.js';\n");
    await build(root);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('compiles nothing where nothing has changed, whatever the times of files say', async () => {
    expect(compiled()).toContain('one = 1');
    expect(await build(root)).toBe(false);
    utimesSync(at('libs/one.ts'), new Date(), new Date());
    write('libs/one.spec.ts', 'it.todo("is not compiled");\n');
    expect(await build(root)).toBe(false);
  });

  it('compiles nothing without sources', async () => {
    for (const path of ['apps', 'libs', 'tsconfig.json', 'dist/.build-stamp'])
      rmSync(at(path), { recursive: true });
    expect(await build(root)).toBe(false);
    expect(compiled()).toContain('one = 1');
  });

  it('compiles a source that changed, also one of the same size and time', async () => {
    const { atime, mtime } = statSync(at('libs/one.ts'));
    write('libs/one.ts', 'export const one = 2;\n');
    utimesSync(at('libs/one.ts'), atime, mtime);
    expect(await build(root)).toBe(true);
    expect(compiled()).toContain('one = 2');
    expect(await build(root)).toBe(false);
  });

  it('does not trust what files look like from outside where one has only just changed', async () => {
    utimesSync(at('libs/one.ts'), new Date(), new Date());
    const { ctimeMs } = statSync(at('libs/one.ts'));
    const looks = (): string => readFileSync(at('dist/.build-stamp'), 'utf8').split('\n')[2]!;
    expect(await build(root, ctimeMs + 50)).toBe(false);
    expect(looks()).toBe('');
    expect(await build(root, ctimeMs + 200)).toBe(false);
    expect(looks()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is one at a time; another one that waited finds it done', async () => {
    write('libs/one.ts', 'export const one = 2;\n');
    const built = await Promise.all([build(root), build(root)]);
    expect(built.toSorted()).toEqual([false, true]);
    expect(compiled()).toContain('one = 2');
  });

  it('waits for no build whose process was killed', async () => {
    write('libs/one.ts', 'export const one = 2;\n');
    const killed = `
      import { DatabaseSync } from 'node:sqlite';
      const lock = new DatabaseSync(process.argv[1]);
      lock.exec('BEGIN EXCLUSIVE');
      process.kill(process.pid, 'SIGKILL');`;
    const args = ['--input-type=module', '-e', killed, at('dist/.build-lock')];
    expect(spawnSync(process.execPath, args).signal).toBe('SIGKILL');
    expect(await build(root)).toBe(true);
  });

  it('becomes the program that it is to run, with its arguments', () => {
    const globals = 'declare const console: any, process: any;';
    write('apps/two.ts', `${globals}\nconsole.log(process.argv.slice(2).join());\n`);
    const program = ['dist/apps/two.js', 'a', 'b'];
    const run = () =>
      spawnSync(process.execPath, [join(REPOSITORY, 'tools/build.js'), ...program], {
        ...{ cwd: root, encoding: 'utf8' as const },
      });
    expect(run()).toMatchObject({ status: 0, stdout: 'a,b\n' });
    write('apps/two.ts', 'const two: string = 2;\n');
    expect(run()).toMatchObject({ status: 1, stdout: expect.stringContaining('TS2322') });
  });

  it.each(['package-lock.json', 'tsconfig.json', 'libs/three.ts'])(
    'compiles after %s changed',
    async (name) => {
      const before = existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '';
      write(name, `${before}\n`);
      expect(await build(root)).toBe(true);
      expect(await build(root)).toBe(false);
    },
  );

  it.each([
    ['is gone', () => rmSync(at('dist/libs/one.js'))],
    // As another compilation leaves it whose sources were put back since.
    ['was made of other sources', () => write('dist/libs/one.js', 'export const one = 3;\n')],
  ])('makes anew what %s', async (_, harm) => {
    harm();
    expect(await build(root)).toBe(true);
    expect(compiled()).toContain('one = 1');
    expect(await build(root)).toBe(false);
  });

  it('does not take what failed for done', async () => {
    write('libs/one.ts', 'export const one: string = 4;\n');
    for (const _ of [1, 2]) await expect(build(root)).rejects.toThrow(NotCompiled);
    write('libs/one.ts', 'export const one = 1;\n');
    expect(await build(root)).toBe(true);
    expect(compiled()).toContain('one = 1');
  });

  it('compiles the console on its own, after its own sources changed', async () => {
    const service = statSync(at('dist/libs/one.js')).mtimeMs;
    write('apps/console/index.html', '<!doctype html><script type="module" src="/a.js"></script>');
    const out = { outDir: '../../dist/console', emptyOutDir: true };
    write('apps/console/vite.config.js', `export default { build: ${JSON.stringify(out)} };`);
    write('apps/console/a.js', "document.title = 'first';\n");
    const page = (): string =>
      readdirSync(at('dist/console/assets'))
        .map((name) => readFileSync(at(`dist/console/assets/${name}`), 'utf8'))
        .join();
    expect(await build(root)).toBe(true);
    expect(page()).toContain('first');
    expect(await build(root)).toBe(false);
    write('apps/console/a.js', "document.title = 'second';\n");
    expect(await build(root)).toBe(true);
    expect(page()).toContain('second');
    rmSync(at('dist/console'), { recursive: true });
    expect(await build(root)).toBe(true);
    expect(page()).toContain('second');
    expect(await build(root)).toBe(false);
    expect(statSync(at('dist/libs/one.js')).mtimeMs).toBe(service);
    const made = statSync(at('dist/console/index.html')).ctimeMs;
    write('libs/one.ts', 'export const one = 5;\n');
    expect(await build(root)).toBe(true);
    expect(compiled()).toContain('one = 5');
    expect(statSync(at('dist/console/index.html')).ctimeMs).toBe(made);
  });
});
