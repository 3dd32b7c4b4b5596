import { SETTINGS_TABLE } from '../../apps/api/platform/settings/settings.js';
import { describeWith } from '../support/needs.js';
import { TestService } from '../support/service.js';
import { fences, read, section, tableRows } from './markdown.js';
import { paste, steps } from './walk.js';

const README = read('README.md');
const SETTINGS = SETTINGS_TABLE.map(({ name, default: value, meaning }) => [
  name,
  value || 'empty',
  meaning,
]);
const DEFAULT_BASE = 'http://localhost:3000';
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
    });
  });

  it('has a page with every setting, its default and meaning', () => {
    const rows = read('docs/settings.md').split('\n## ').flatMap(tableRows);
    expect(rows.toSorted()).toEqual(SETTINGS.toSorted());
  });

  it('repeats some of them as they are there', () => {
    const rows = tableRows(section(README, '## Configuration'));
    expect(rows.length).toBeGreaterThan(10);
    expect(SETTINGS).toEqual(expect.arrayContaining(rows));
  });
});
