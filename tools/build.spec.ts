import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'build-'));
    symlinkSync(join(REPOSITORY, 'node_modules'), at('node_modules'));
    for (const name of ['tsconfig.json', 'tsconfig.build.json'])
      cpSync(join(REPOSITORY, name), at(name));
    write('package.json', '{ "type": "module" }');
    write('package-lock.json', '{}');
    write('libs/one.ts', 'export const one = 1;\n');
    write('apps/two.ts', "export { one } from '../libs/one.js';\n");
    build(root);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('compiles nothing where nothing has changed, whatever the times of files say', () => {
    expect(compiled()).toContain('one = 1');
    expect(build(root)).toBe(false);
    utimesSync(at('libs/one.ts'), new Date(), new Date());
    write('libs/one.spec.ts', 'it.todo("is not compiled");\n');
    expect(build(root)).toBe(false);
  });

  it('compiles a source that changed, also one of the same size and time', () => {
    const { atime, mtime } = statSync(at('libs/one.ts'));
    write('libs/one.ts', 'export const one = 2;\n');
    utimesSync(at('libs/one.ts'), atime, mtime);
    expect(build(root)).toBe(true);
    expect(compiled()).toContain('one = 2');
    expect(build(root)).toBe(false);
  });

  it.each(['package-lock.json', 'tsconfig.json', 'libs/three.ts'])(
    'compiles after %s changed',
    (name) => {
      const before = existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '';
      write(name, `${before}\n`);
      expect(build(root)).toBe(true);
      expect(build(root)).toBe(false);
    },
  );

  it.each([
    ['is gone', () => rmSync(at('dist/libs/one.js'))],
    // As another compilation leaves it whose sources were put back since.
    ['was made of other sources', () => write('dist/libs/one.js', 'export const one = 3;\n')],
  ])('makes anew what %s', (_, harm) => {
    harm();
    expect(build(root)).toBe(true);
    expect(compiled()).toContain('one = 1');
    expect(build(root)).toBe(false);
  });

  it('does not take what failed for done', () => {
    write('libs/one.ts', 'export const one: string = 4;\n');
    for (const _ of [1, 2]) expect(() => build(root)).toThrow(NotCompiled);
    write('libs/one.ts', 'export const one = 1;\n');
    expect(build(root)).toBe(true);
    expect(compiled()).toContain('one = 1');
  });
});
