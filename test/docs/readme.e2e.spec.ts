import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SETTINGS_TABLE } from '../../apps/api/platform/settings/settings.js';
import { describeWith } from '../support/needs.js';
import { TestService } from '../support/service.js';
import { type Fence, fences, read, section, tableRows } from './markdown.js';

const README = read('README.md');
const DEFAULT_BASE = 'http://localhost:3000';
/** Printed after every block, so that each one's output can be told apart. */
const SEPARATOR = '\u001E';

/** Runs blocks in one bash, as somebody would paste them; answers what each one printed. */
async function paste(blocks: readonly string[], env: Record<string, string>): Promise<string[]> {
  const script = blocks.map((block) => `${block}\nprintf '${SEPARATOR}'\n`).join('');
  const { stdout, stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    env: { ...process.env, ...env },
  });
  expect(stderr).toBe('');
  return stdout.split(SEPARATOR).slice(0, -1);
}

/** Shell blocks with the text block that follows each of them. */
function steps(blocks: readonly Fence[]): { command: string; output: string }[] {
  return blocks.flatMap(({ language, text }, at) => {
    const next = blocks[at + 1];
    return language === 'sh'
      ? [{ command: text, output: next?.language === 'text' ? next.text : '' }]
      : [];
  });
}

describe('the README', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ DEFAULT_DISK: 'Files' });
  });

  afterAll(() => service.stop());

  it('begins with commands that exist', () => {
    const [install, test] = fences(README).map(({ text }) => text.trim());
    const { scripts } = JSON.parse(read('package.json'));
    expect([install, test]).toEqual(['npm ci && npm start', 'npm test']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['prestart', 'start', 'test']));
  });

  describeWith('curl')('has commands', () => {
    it('that begin with a request that works when pasted', async () => {
      const { text } = fences(README)[2]!;
      expect(text).toContain(DEFAULT_BASE);
      const [answer] = await paste([text.replaceAll(DEFAULT_BASE, service.url)], {});
      expect(JSON.parse(answer!).ok.data.admin.api_key_value).toBeTruthy();
    });

    it('that walk from quickstart to replay, printing what it says', async () => {
      const walk = steps(fences(section(README, '## A walk from quickstart to replay')));
      const printed = await paste(
        walk.map(({ command }) => command),
        { BASE: service.url },
      );
      expect(walk).toHaveLength(7);
      expect(printed).toEqual(walk.map(({ output }) => output));
    }, 60_000);
  });

  it('lists every setting with its default and meaning', () => {
    const rows = tableRows(section(README, '## Configuration'));
    expect(rows).toEqual(
      SETTINGS_TABLE.map((setting) => [setting.name, setting.default || 'empty', setting.meaning]),
    );
  });
});
