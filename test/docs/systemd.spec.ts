import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings, SETTINGS_TABLE } from '../../apps/api/platform/settings/settings.js';
import { describeWith } from '../support/needs.js';
import { read, REPOSITORY } from './markdown.js';

const UNIT = 'drive-workspace@.service';
const INSTALLED = '/opt/drive-workspace';
const unit = read(`deploy/${UNIT}`);
/** From 0 to 100: less is better; below 20 systemd calls a service well protected. */
const MOST_EXPOSED = 20;

const valuesOf = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);

describe(`deploy/${UNIT}`, () => {
  it('runs what npm start runs, and programs that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const [command] = valuesOf('ExecStart');
    const of_api = command!
      .replace(`${INSTALLED}/node_modules/.bin/`, 'exec ')
      .replace('%i', 'api');
    expect(of_api).toBe(scripts.start);
    for (const name of ['api', 'worker'])
      expect(existsSync(join(REPOSITORY, `apps/${name}/main.ts`))).toBe(true);
  });

  it('sets only settings and NODE_ENV', () => {
    const [pairs] = valuesOf('Environment');
    const names = pairs!.split(' ').map((pair) => pair.split('=')[0]!);
    const known = SETTINGS_TABLE.map(({ name }) => name);
    expect(names.filter((name) => !known.includes(name))).toEqual(['NODE_ENV']);
    expect(pairs).toContain('PRODUCTION=true');
  });

  it('gives a stopping process longer than it takes itself', () => {
    const { shutdown_timeout_ms, close_timeout_ms } = loadSettings({});
    const [stop_s] = valuesOf('TimeoutStopSec');
    expect(Number(stop_s) * 1000).toBeGreaterThan(shutdown_timeout_ms + close_timeout_ms);
  });

  describeWith('systemd')('checked by systemd', () => {
    let folder: string;
    let file: string;

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'drive-unit-'));
      file = join(folder, UNIT.replace('@', '@api'));
      // The programs have to exist.
      writeFileSync(file, unit.replaceAll(INSTALLED, REPOSITORY));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    const analyze = (...args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, file], {
        encoding: 'utf8',
      });
      return { status, said: stdout + stderr };
    };

    it('is valid', () => expect(analyze('verify', '--man=no')).toEqual({ status: 0, said: '' }));

    it('restricts the process', () => {
      const threshold = `--threshold=${MOST_EXPOSED}`;
      expect(analyze('security', '--offline=true', '--no-pager', threshold)).toMatchObject({
        status: 0,
        said: expect.stringContaining('Overall exposure level'),
      });
    });
  });
});
