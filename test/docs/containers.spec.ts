import { spawnSync } from 'node:child_process';
import { load } from 'js-yaml';
import { loadSettings, SETTINGS_TABLE } from '../../apps/api/platform/settings.js';
import { read } from './markdown.js';

interface Service {
  readonly build: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
  readonly stop_grace_period: string;
}

const { services, volumes } = load(read('docker-compose.yml')) as {
  services: Readonly<Record<string, Service>>;
  volumes: Readonly<Record<string, unknown>>;
};
const api = services['api']!;
const dockerfile = read('Dockerfile').split('\n');

/** A value as Compose sees it where the variable in it is not set. */
const withDefaults = (value: string): string => value.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
const environment = Object.fromEntries(
  Object.entries(api.environment).map(([name, value]) => [name, withDefaults(value)]),
);

describe('docker-compose.yml', () => {
  it('sets only what are settings, to values they allow, and no secret', () => {
    const known = SETTINGS_TABLE.map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
    expect(environment).not.toHaveProperty('MASTER_KEY');
    expect(loadSettings(environment)).toMatchObject({ host: '0.0.0.0', data_dir: '/data' });
  });

  it('publishes the port that the service listens on', () => {
    const { port, public_url } = loadSettings(environment);
    expect(api.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(public_url).toBe(`http://localhost:${port}`);
  });

  it('keeps the data folder in a volume', () => {
    expect(api.volumes).toEqual([`data:${environment['DATA_DIR']}`]);
    expect(volumes).toHaveProperty('data');
  });

  it('asks for /health with a program that parses', () => {
    const [kind, program, flag, text] = api.healthcheck.test;
    expect([kind, program, flag]).toEqual(['CMD', 'node', '-e']);
    expect(text).toContain(`http://127.0.0.1:${environment['PORT']}/health`);
    const refused = text!.replace(/:\d+\/health/, ':1/health');
    expect(spawnSync(process.execPath, ['-e', refused]).status).toBe(1);
  });

  it('gives a stopping service longer than it takes itself', () => {
    const { shutdown_timeout_ms } = loadSettings(environment);
    expect(Number.parseInt(api.stop_grace_period, 10) * 1000).toBeGreaterThan(shutdown_timeout_ms);
  });
});

describe('Dockerfile', () => {
  it('runs what npm start runs, as an ordinary user', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const command = dockerfile.find((line) => line.startsWith('CMD '))!;
    expect(JSON.parse(command.slice('CMD '.length)).join(' ')).toBe(scripts.start);
    expect(dockerfile).toContain('USER node');
  });

  it('has no step that needs a development dependency after they are pruned', () => {
    const final = dockerfile.slice(dockerfile.findLastIndex((line) => line.startsWith('FROM ')));
    expect(final.filter((line) => /npm|tsc/.test(line))).toEqual([]);
  });
});
