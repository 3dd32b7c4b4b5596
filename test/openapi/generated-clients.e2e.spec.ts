import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../docs/markdown.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { describeWith } from '../support/needs.js';
import { TestService } from '../support/service.js';

/** The scenario by the client of `typescript-fetch`. */
const TYPESCRIPT_SCENARIO = `
import { Configuration, ContentApi, GroupsApi } from './index.js';

declare const process: { argv: string[]; stdout: { write(text: string): void } };

const { url, drive_id: organizationId, api_key: accessToken, file_id } = JSON.parse(process.argv[2]!);
const configuration = new Configuration({ basePath: url, accessToken });
const groups = new GroupsApi(configuration);
const created = await groups.createGroupRaw({ organizationId, createGroupBody: { name: 'Generated' } });
const before = Number(created.raw.headers.get('Drive-Revision')) - 1;
const now = await groups.listGroups({ organizationId, listBody: { pageSize: 100 } });
const past = await groups.listGroups({ organizationId, asOf: \`r\${before}\`, listBody: {} });
// The generator merges the payloads of directory actions into one type, so another client creates the file.
const content = new ContentApi(configuration);
await content.uploadFile({ organizationId, fileId: file_id, body: new Blob(['bytes']) });
const file = await content.getFile({ organizationId, fileIdWithExtension: \`\${file_id}.txt\` });
process.stdout.write(JSON.stringify({
  created: (await created.value()).ok.data.id,
  now: now.ok.data.items.map(({ id }) => id),
  past: past.ok.data.items.map(({ id }) => id),
  text: await file.text(),
}));
`;

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  },
};

describeWith('generators')('clients generated from the API document', () => {
  let service: TestService;
  let folder: string;
  let facts: string;

  beforeAll(async () => {
    service = await TestService.start({ DEFAULT_DISK: 'Files' });
    const organization = await service.organization();
    const { drive_id, admin } = organization;
    const { id: file_id } = await makeFile(admin, await makeDisk(organization), 'b.txt');
    facts = JSON.stringify({ url: service.url, drive_id, api_key: admin.token, file_id });
    folder = await mkdtemp(join(tmpdir(), 'api-clients-'));
    const document = await fetch(`${service.url}/openapi.json`);
    await writeFile(join(folder, 'openapi.json'), await document.text());
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function run(program: string, ...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(program, args, {
      ...{ cwd: folder, maxBuffer: 1 << 26 },
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    return stdout;
  }

  async function generate(generator: string, to: string, ...options: string[]): Promise<void> {
    // It writes a file for requests that the service sends, which does not compile; nothing imports it.
    await writeFile(
      join(folder, 'ignored'),
      '**/webhook_deliveries_api.py\n**/WebhookDeliveriesApi.ts',
    );
    const ignored = ['--ignore-file-override', 'ignored'];
    const args = ['-i', 'openapi.json', '-g', generator, '-o', to, ...ignored, ...options];
    await run('openapi-generator-cli', 'generate', ...args);
  }

  /** What each of the clients does: create a group, list, list a past state, upload and download a file. */
  function expectScenario(printed: string): void {
    const { created, now, past, text } = JSON.parse(printed) as Record<string, string>;
    expect(text).toBe('bytes');
    expect(now).toContain(created);
    expect(past).not.toContain(created);
  }

  it('by openapi-generator for Python compile and run', async () => {
    await generate('python', 'python');
    await run('python3', '-m', 'compileall', '-q', 'python/openapi_client');
    await cp(
      join(import.meta.dirname, 'scenario_generator.py'),
      join(folder, 'python/scenario.py'),
    );
    expectScenario(await run('python3', 'python/scenario.py', facts));
  });

  it('by openapi-generator for TypeScript compile and run', async () => {
    const options = ['--additional-properties', 'importFileExtension=.js'];
    await generate('typescript-fetch', 'typescript', ...options);
    const at = (name: string): string => join(folder, 'typescript', name);
    await writeFile(at('package.json'), '{"type":"module"}');
    await writeFile(at('tsconfig.json'), JSON.stringify(TSCONFIG));
    await writeFile(at('scenario.ts'), TYPESCRIPT_SCENARIO);
    const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, tsc, '-p', 'typescript').catch(({ stdout }: { stdout: string }) => {
      throw new Error(stdout);
    });
    expectScenario(await run(process.execPath, 'typescript/scenario.js', facts));
  });

  it('by openapi-python-client compile and run', async () => {
    const output = ['--output-path', 'drive_client', '--meta', 'none'];
    await run('openapi-python-client', 'generate', '--path', 'openapi.json', ...output);
    await run('python3', '-m', 'compileall', '-q', 'drive_client');
    await cp(join(import.meta.dirname, 'scenario_python_client.py'), join(folder, 'scenario.py'));
    expectScenario(await run('python3', 'scenario.py', facts));
  });
});
