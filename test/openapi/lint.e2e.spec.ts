import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '../../apps/api/openapi-document.js';
import { describeWith } from '../support/needs.js';

/** Installed beside the test: their 270 packages are no dependencies of the service. */
const LINTERS = ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3'];
const CONFIGURATION = ['redocly.yaml', '.redocly.lint-ignore.yaml', 'spectral.yaml'];
const COMMANDS = {
  redocly: ['lint', 'openapi.json', '--config', 'redocly.yaml', '--format', 'json'],
  spectral: ['lint', 'openapi.json', '--ruleset', 'spectral.yaml', '--format', 'json', '--quiet'],
};

/** What a client loads before it knows any operation. */
const MOST_BYTES = 400 * 1024;

it('the document is small', async () => {
  const bytes = Buffer.byteLength(JSON.stringify(await openApiDocument()));
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

describeWith('registry')('linters of API documents', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'api-lint-'));
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
    await promisify(execFile)('npm', ['install', ...flags, ...LINTERS], { cwd: folder });
    for (const name of CONFIGURATION) await cp(join(import.meta.dirname, name), join(folder, name));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Findings of a linter in a document. */
  async function findings(linter: keyof typeof COMMANDS, document: object): Promise<string[]> {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    const program = join(folder, 'node_modules/.bin', linter);
    const env = { ...process.env, NODE_OPTIONS: '', REDOCLY_TELEMETRY: 'off' };
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...COMMANDS[linter]], {
      ...{ cwd: folder, env, maxBuffer: 1 << 26 },
    }).catch((error: { stdout: string; stderr: string }) => {
      if (!error.stdout) throw error;
      return error;
    });
    const found = JSON.parse(stdout) as Finding[] | { problems: Finding[] };
    return (Array.isArray(found) ? found : found.problems)
      .filter(({ ignored }) => !ignored)
      .map(({ ruleId, code, message }) => `${ruleId ?? code}: ${message}`);
  }

  it.each(['redocly', 'spectral'] as const)('%s finds nothing', async (linter) => {
    const document = await openApiDocument();
    expect(await findings(linter, document)).toEqual([]);
    // It does find an operation without a summary and with the id of another one.
    const { get: operation } = document.paths['/health']!;
    Object.assign(operation!, { summary: undefined, operationId: 'getService' });
    expect(await findings(linter, document)).not.toEqual([]);
  });
});

interface Finding {
  readonly ruleId?: string;
  readonly code?: string;
  readonly message: string;
  readonly ignored?: boolean;
}
