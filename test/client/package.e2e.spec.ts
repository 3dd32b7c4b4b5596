import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fences, read, REPOSITORY, section } from '../docs/markdown.js';
import { TestService } from '../support/service.js';

const run = promisify(execFile);

/** Where every recipe begins: values of the service under test, and clients made before. */
const PRELUDE = `
const { url, drive_id, api_key, user_id } = JSON.parse(process.env.FACTS!) as Record<string, string>;
const drive = connect({ url, drive_id, api_key });
const other = connect({ url, drive_id, api_key });
const group = await drive.groups.create({ name: 'Prelude' });
const at_ms = Date.now();
const printed: Record<string, unknown[][]> = {};
`;

/** What the recipe of the live feed waits for. */
const SHORT_GROUP = `
  const { id } = await drive.groups.create({ name: 'Short' });
  await drive.groups.delete({ id });`;

/** A program that runs each recipe on its own and prints what each one printed, by title. */
function programOf(markdown: string): string {
  const imports = new Set<string>();
  const recipes = markdown
    .matchAll(/^## (.*)$/gm)
    .map(([heading, title]) => {
      const blocks = fences(section(markdown, heading)).filter(({ language }) => language === 'ts');
      const code = blocks.map(({ text }) => `{${text.replaceAll(/^import .* from .*$/gm, '')}}`);
      for (const { text } of blocks)
        for (const [, names] of text.matchAll(
          /^import \{ (.*) \} from '@drive-workspace\/client';$/gm,
        ))
          for (const name of names!.split(', ')) imports.add(name);
      return { title: title!, code: code.join('\n') };
    })
    .filter(({ code }) => code !== '')
    .toArray();
  return [
    `import { ${[...imports].join(', ')} } from '@drive-workspace/client';`,
    'declare const process: { env: Record<string, string | undefined>; stdout: { write(text: string): void } };',
    PRELUDE,
    ...recipes.map(({ title, code }, nth) => {
      const lines = `printed[${JSON.stringify(title)}] = []`;
      const log = '{ log: (...values: unknown[]): unknown => lines.push(values) }';
      return `async function recipe${nth}(lines: unknown[][], console = ${log}): Promise<void> {\n${code}\nvoid console;\n}
{
  const running = recipe${nth}(${lines});
${title === 'Live feed' ? SHORT_GROUP : ''}
  await running;
}`;
    }),
    'process.stdout.write(JSON.stringify(printed));',
  ].join('\n');
}

describe('the packed client', () => {
  let service: TestService;
  let folder: string;
  let printed: Record<string, unknown[][]>;

  beforeAll(async () => {
    service = await TestService.start({ DEFAULT_DISK: 'Files' });
    folder = await mkdtemp(join(tmpdir(), 'client-package-'));
    const { drive_id, admin, members } = await service.organization('Bob');
    const facts = {
      url: service.url,
      drive_id,
      api_key: admin.token,
      user_id: members[0]!.user_id,
    };
    await run('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: join(REPOSITORY, 'libs/client'),
    });
    const [tarball] = await readdir(folder);
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], {
      cwd: folder,
    });
    await writeFile(join(folder, 'recipes.ts'), programOf(read('libs/client/README.md')));
    const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
    const options = [
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--lib',
      'es2023,dom',
    ];
    await run(process.execPath, [tsc, ...options, 'recipes.ts'], {
      cwd: folder,
    }).catch(({ stdout }) => {
      throw new Error(`The recipes do not compile: ${stdout}`);
    });
    const { stdout } = await run(process.execPath, ['recipes.js'], {
      cwd: folder,
      env: { ...process.env, FACTS: JSON.stringify(facts) },
    });
    printed = JSON.parse(stdout);
  });

  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('brings nothing but itself', async () => {
    const all = await readdir(join(folder, 'node_modules'));
    expect(all.filter((name) => !name.startsWith('.'))).toEqual(['@drive-workspace']);
    const own = await readdir(join(folder, 'node_modules/@drive-workspace/client'));
    expect(own.toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const compiled = await readdir(join(folder, 'node_modules/@drive-workspace/client/dist'));
    expect(compiled.filter((name) => name.includes('spec'))).toEqual([]);
  });

  it.each([
    [
      'Connect',
      [['Test Org'], [expect.stringMatching(/^UserID_/), expect.stringMatching(/^DriveID_/)]],
    ],
    ['Create and change', [[['GroupCreated']]]],
    ['Retry', []],
    ['Read your own writes', [[true]]],
    ['Handle an error', [['There is no such group.']]],
    ['The past, as a person', [[['Group for All']]]],
  ])('runs the recipe: %s', (title, lines) => {
    expect(printed[title]).toEqual(lines);
  });

  it('runs the recipe: Page through a list', () => {
    const lines = printed['Page through a list']!.flat();
    expect(lines).toEqual(expect.arrayContaining(['Bob', 2]));
  });

  it('runs the recipe: Live feed', () => {
    const types = printed['Live feed']!.map(([, type]) => type);
    expect(types).toEqual(['GroupCreated', 'GroupDeleted']);
  });

  it('runs the recipe: Upload and download', () => {
    expect(printed['Upload and download']).toEqual([
      [0, 11],
      [11, 11],
      ['Hello again'],
      [expect.stringContaining(`${service.url}/v1/drive/`)],
    ]);
  });

  it('runs the recipe: Compare two points', () => {
    expect(printed['Compare two points']).toEqual(
      expect.arrayContaining([['CREATED', 'groups', 'Prelude']]),
    );
  });

  it('runs the recipe: Who could see it, and why', () => {
    const [explained, ...holders] = printed['Who could see it, and why']!;
    expect(explained![0]).toEqual([]);
    expect(holders.length).toBeGreaterThan(0);
  });

  it('runs the recipe: Verify', () => {
    const [first, last] = [printed['Verify']![0], printed['Verify']!.at(-1)];
    const [, checked_events] = last as [boolean, number];
    expect(last).toEqual([true, expect.any(Number)]);
    expect(first).toEqual([0, checked_events]);
  });

  it('shows every recipe', () => {
    expect(Object.keys(printed)).toHaveLength(12);
  });
});
