import { readSummary, sum, summary } from './jest-run.js';
import { isAtLeast, type Machine } from './machine.js';
import { leftOut, missing, mongoProvider, needOf, NEEDS, s3Provider } from './needs.js';

/** A machine with these programs in PATH, and these variables. */
const machine = (programs: readonly string[], env: Record<string, string> = {}): Machine => ({
  variable: (name) => env[name],
  has: (program) => programs.includes(program),
  builds: () => programs.includes('go'),
  imports: () => programs.includes('python3'),
  mountsDisks: () => programs.includes('mount'),
  reachesRegistry: () => programs.includes('npm'),
  runsContainers: () => programs.includes('docker'),
  runsOwnContainers: () => programs.includes('podman'),
});
const FULL = [
  ...['go', 'mongod', 'docker', 'bash', 'curl', 'chromium', 'promtool'],
  ...['python3', 'npm', 'mount', 'podman', 'systemd-analyze'],
];

describe('a MongoDB server for tests', () => {
  it.each([
    [{ MONGODB_URL: 'mongodb://127.0.0.1' }, FULL, 'url'],
    [{}, FULL, 'go'],
    [{}, ['mongod', 'docker'], 'mongod'],
    [{}, ['docker'], 'docker'],
    [{ MONGODB_URL: '' }, ['bash', 'curl'], null],
  ])('with %j and %j is %s', (env, programs, provider) =>
    expect(mongoProvider(machine(programs, env))).toBe(provider),
  );
});

describe('an S3 server for tests', () => {
  it.each([
    [{ S3_URL: 'http://key:secret@127.0.0.1:9000' }, FULL, 'url'],
    [{}, FULL, 'go'],
    [{ S3_URL: '' }, ['docker'], null],
  ])('with %j and %j is %s', (env, programs, provider) =>
    expect(s3Provider(machine(programs, env))).toBe(provider),
  );
});

describe('what a machine lacks', () => {
  it.each([
    [FULL, []],
    [
      [
        'mongod',
        'bash',
        'curl',
        'chromium',
        'python3',
        'npm',
        'mount',
        'podman',
        'systemd-analyze',
      ],
      ['s3', 'compose', 'containers', 'promtool'],
    ],
    [
      ['go', 'curl'],
      [
        ...['chromium', 'curl', 'containers', 'promtool', 'generators', 'registry'],
        ...['small_disk', 'systemd'],
      ],
    ],
    [
      ['bash', 'curl', 'promtool'],
      [
        ...['mongodb', 's3', 'compose', 'chromium', 'containers', 'generators', 'registry'],
        ...['small_disk', 'systemd'],
      ],
    ],
    [[], Object.keys(NEEDS)],
  ])('with %j in PATH is %j', (programs, needs) =>
    expect(missing(machine(programs))).toEqual(needs),
  );

  it('is left out, decided once for all processes', () => {
    const env: NodeJS.ProcessEnv = {};
    const without_go = FULL.filter((program) => !['go', 'mongod', 'docker'].includes(program));
    const lacking = ['mongodb', 's3', 'compose', 'containers'];
    expect(leftOut(env, machine(without_go))).toEqual(lacking);
    expect(leftOut(env, machine(FULL))).toEqual(lacking);
    expect(leftOut({}, machine(FULL))).toEqual([]);
  });

  it('is not left out with CI=true, unless the machine may lack it with everything installed', () => {
    expect(leftOut({ CI: 'true' }, machine(['mount', 'podman', 'go']))).toEqual([]);
    expect(leftOut({ CI: 'true' }, machine([]))).toEqual(['containers', 'small_disk']);
  });
});

describe('a version of Go', () => {
  it.each([
    ['go version go1.24.0 linux/amd64', '1.24.0', true],
    ['go version go1.26.8 linux/amd64', '1.24', true],
    ['go version go2.0 linux/amd64', '1.24', true],
    ['go version go1.19.8 linux/amd64', '1.24.0', false],
    ['go version go1.9 linux/amd64', '1.24', false],
    ['go version devel +1234', '1.24', false],
  ])('%s will do for %s: %s', (said, needed, will_do) =>
    expect(isAtLeast(said, needed)).toBe(will_do),
  );
});

describe('the end of a run', () => {
  it('names what was left out before the counts', () => {
    const count = sum([
      { passed: 7, failed: 0 },
      { passed: 1, failed: 2, left_out: { mongodb: 500, curl: 1 } },
      { passed: 0, failed: 0, left_out: { mongodb: 12 } },
    ]);
    const said = summary(count);
    expect(said.split('\n')).toEqual([
      'left out: 512 tests that need a MongoDB server; set MONGODB_URL or install Go 1.25 or mongod',
      'left out: 1 test that needs bash and curl; install them',
      '8 passed, 2 failed',
    ]);
    expect(readSummary(`more\n\n${said}\n`)).toEqual(count);
  });

  it('is missed where it does not come', () => {
    expect(readSummary('1 passed, 0 failed\nError: something else')).toBeNull();
    expect(readSummary('')).toBeNull();
  });

  it('knows by its titles what a test was left out for', () => {
    expect(needOf(['the indexes [left out: mongodb]', 'serve a list'])).toBe('mongodb');
    expect(needOf(['the indexes', 'serve a list [left out: curl]'])).toBe('curl');
    expect(needOf(['the indexes', 'serve a list'])).toBeUndefined();
  });
});
