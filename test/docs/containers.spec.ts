import { spawnSync } from 'node:child_process';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { loadSettings, SETTINGS_TABLE } from '../../apps/api/platform/settings/settings.js';
import { composed, type Project, type Service } from './compose/composed.js';
import { describeWith } from '../support/needs.js';
import { read, REPOSITORY } from './markdown.js';

const SECRETS = {
  MASTER_KEY: '11'.repeat(32),
  SIGNING_KEY: '22'.repeat(32),
  KURRENTDB_ADMIN_PASSWORD: 'an-administrator-password',
  KURRENTDB_PASSWORD: 'a-password',
};
const ONE_NODE = ['docker-compose.yml'];
const CLUSTER = [...ONE_NODE, 'docker-compose.cluster.yml'];
/** Services that end once they have done their work. */
const ONCE = ['certificates', 'event-store-user', 'event-store-grant'];
const OWN = ['api-1', 'api-2', 'worker-1', 'worker-2'];
const PROXY = 'deploy/proxy.conf';

const dockerfile = read('Dockerfile').split('\n');

/** Host names in a connection string. */
const hostsIn = (url: string): string[] =>
  url
    .replace(/^\w+:\/\/(?:[^@/]*@)?/, '')
    .replace(/[/?].*$/, '')
    .split(',')
    .map((host) => host.split(':')[0]!);

/** The addresses of a network like 10.0.0.0/8. */
function addressesOf(network: string): BlockList {
  const [address, bits] = network.split('/');
  const addresses = new BlockList();
  addresses.addSubnet(address!, Number(bits));
  return addresses;
}

describeWith('compose').each([
  ['docker-compose.yml', ONE_NODE],
  ['docker-compose.yml with docker-compose.cluster.yml', CLUSTER],
])('%s', (_, files) => {
  let project: Project;
  let services: [name: string, service: Service][];
  const own = () => OWN.map((name) => project.services[name]!);

  beforeAll(() => {
    const { project: found, problems } = composed(files, SECRETS);
    if (!found) throw new Error(problems);
    project = found;
    services = Object.entries(project.services);
  });

  it('pins every image by its version', () => {
    const images = services.filter(([, { build }]) => !build).map(([, { image }]) => image);
    expect(images.length).toBeGreaterThan(2);
    for (const image of images) expect(image).toMatch(/^[\w./-]+:\d+\.\d+\.\d+[\w.-]*$/);
  });

  it('sets only what are settings, to values they allow', () => {
    const known = SETTINGS_TABLE.map(({ name }) => name);
    for (const { environment } of own()) {
      expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
      expect(environment).toHaveProperty('PRODUCTION', 'true');
      expect(loadSettings(environment)).toMatchObject({
        host: '0.0.0.0',
        production: true,
        event_store: 'kurrentdb',
        read_model: 'mongodb',
      });
    }
  });

  it('names as hosts what are services', () => {
    for (const { environment } of own())
      for (const url of [environment['KURRENTDB_URL']!, environment['MONGODB_URL']!])
        for (const host of hostsIn(url)) expect(Object.keys(project.services)).toContain(host);
  });

  it('bounds what every service that stays takes, and asks each how it does', () => {
    for (const [name, { deploy, healthcheck, build }] of services) {
      if (ONCE.includes(name)) continue;
      expect([name, deploy?.resources.limits]).toEqual([
        name,
        { cpus: expect.any(Number), memory: expect.stringMatching(/^\d+$/) },
      ]);
      expect([name, Boolean(healthcheck ?? build)]).toEqual([name, true]);
    }
  });

  it('takes an event store for healthy only with a leader', () => {
    const nodes = services.filter(([name]) => name.startsWith('kurrentdb'));
    expect(nodes.length).toBeGreaterThan(0);
    for (const [, { healthcheck }] of nodes)
      expect(JSON.stringify(healthcheck)).toContain('gossip');
  });

  it('keeps the data of every server in a volume of its own', () => {
    const data = services
      .filter(([name]) => /^(?:kurrentdb|mongodb)/.test(name))
      .map(([, { volumes }]) => volumes!.find(({ source }) => source !== 'certificates')!);
    expect(data.length).toBeGreaterThan(1);
    for (const { type, source } of data) {
      expect(type).toBe('volume');
      expect(project.volumes).toHaveProperty(source);
    }
    expect(new Set(data.map(({ source }) => source)).size).toBe(data.length);
  });

  it('runs its own processes without rights, on a file system that cannot be written to', () => {
    for (const service of own())
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
  });

  it('gives a stopping process longer than it takes itself', () => {
    for (const { environment, stop_grace_period } of own()) {
      const { shutdown_timeout_ms, close_timeout_ms } = loadSettings(environment);
      const grace_ms = Number.parseInt(stop_grace_period!, 10) * 1000;
      expect(grace_ms).toBeGreaterThan(shutdown_timeout_ms + close_timeout_ms);
    }
  });

  it('starts workers by the command of the image', () => {
    for (const name of ['worker-1', 'worker-2'])
      expect(project.services[name]!.command).toEqual(['worker']);
  });

  it('publishes the proxy where clients look for the service, and nothing else', () => {
    const published = services.flatMap(([name, { ports }]) =>
      (ports ?? []).map(({ published: port, host_ip }) => ({ name, port, host_ip })),
    );
    const { public_url } = loadSettings(project.services['api-1']!.environment);
    expect(published).toEqual([
      { name: 'proxy', port: new URL(public_url).port, host_ip: '127.0.0.1' },
    ]);
  });

  it('sends all requests of a drive to one of the API processes', () => {
    const mounted = project.services['proxy']!.volumes!.map(({ source }) => source);
    expect(mounted).toEqual([join(REPOSITORY, PROXY)]);
    const content = read(PROXY);
    const [, pattern] = /map \$uri \$drive \{\s+~(\S+) \$drive_id;/.exec(content)!;
    const match = new RegExp(pattern!).exec('/v1/drive/DriveID_1/groups/list');
    expect(match?.groups).toEqual({ drive_id: 'DriveID_1' });
    const upstream = [...content.matchAll(/^\s+server ([\w-]+):(\d+) /gm)];
    expect(upstream.map(([, host]) => host)).toEqual(['api-1', 'api-2']);
    for (const [, host, port] of upstream)
      expect(project.services[host!]!.environment['PORT']).toBe(port);
    const { trusted_proxies } = loadSettings(project.services['api-1']!.environment);
    expect(project.networks['default']!.ipam.config).toEqual([
      { subnet: trusted_proxies[0], ip_range: expect.any(String) },
    ]);
  });

  it('keeps the addresses of API processes, which the proxy looks up once, from all other containers', () => {
    const addresses = ['api-1', 'api-2'].map(
      (name) => project.services[name]!.networks!['default']!.ipv4_address!,
    );
    expect(addresses).toEqual(['172.29.0.11', '172.29.0.12']);
    const [{ subnet, ip_range }] = project.networks['default']!.ipam.config as [
      { subnet: string; ip_range: string },
    ];
    const others = addressesOf(ip_range);
    for (const address of addresses) expect(others.check(address)).toBe(false);
    // Podman's last address of a range is also given to a container.
    expect(addressesOf(subnet).check('172.29.0.255')).toBe(true);
    expect(others.check('172.29.0.255')).toBe(false);
    expect(others.check('172.29.0.64')).toBe(true);
  });
});

describe('what compose files must not hold', () => {
  describeWith('compose')('read by Compose', () => {
    it('gives the service a user of the cluster that is no administrator', () => {
      const { services } = composed(CLUSTER, SECRETS).project!;
      for (const name of [...OWN, 'event-store-grant']) {
        const { username, password } = new URL(
          services[name]!.environment['KURRENTDB_URL']!.split(',')[0]!,
        );
        expect([username, password]).toEqual(['drive', SECRETS.KURRENTDB_PASSWORD]);
      }
      for (const name of OWN)
        expect(JSON.stringify(services[name])).not.toContain(SECRETS.KURRENTDB_ADMIN_PASSWORD);
      expect(services['event-store-grant']!.command!.join(' ')).toMatch(
        /drive-workspace ops kurrentdb grant --user drive --admin-file/,
      );
    });

    it('asks for every secret by its name', () => {
      expect(composed(CLUSTER, { ...SECRETS, KURRENTDB_ADMIN_PASSWORD: '' }).problems).toContain(
        'KURRENTDB_ADMIN_PASSWORD',
      );
      expect(composed(ONE_NODE, {}).problems).toContain('MASTER_KEY');
      expect(composed(CLUSTER, { ...SECRETS, KURRENTDB_PASSWORD: '' }).problems).toContain(
        'KURRENTDB_PASSWORD',
      );
    });
  });

  it('holds no secret', () => {
    const lines = CLUSTER.flatMap((file) => read(file).split('\n'));
    const secrets = lines.filter((line) => /^\s+\w*(?:_KEY|PASSWORD): /.test(line));
    expect(secrets.length).toBeGreaterThan(3);
    for (const line of secrets) expect(line).toMatch(/: \$\{\w+:\?/);
    for (const line of lines) expect(line).not.toMatch(/:\/\/\w+:(?!\$\{)[^@\s]+@/);
  });
});

describe('Dockerfile', () => {
  it('serves by the command of the package, as an ordinary user', () => {
    const command = JSON.parse(read('package.json')).bin['drive-workspace'];
    expect(dockerfile.join('\n')).toContain(`ln -s /app/${command} /usr/local/bin/drive-workspace`);
    expect(dockerfile).toEqual(
      expect.arrayContaining(['ENTRYPOINT ["drive-workspace"]', 'CMD ["serve"]', 'USER node']),
    );
  });

  it('asks for /health with a program that parses and tells the truth', () => {
    const check = dockerfile.find((line) => line.startsWith('HEALTHCHECK '))!;
    const [program, flag, text] = JSON.parse(check.slice(check.indexOf('['))) as string[];
    expect([program, flag]).toEqual(['node', '-e']);
    expect(text).toContain('/health`');
    // Nobody listens on port 1.
    const { status } = spawnSync(process.execPath, ['-e', text!], { env: { PORT: '1' } });
    expect(status).toBe(1);
  });

  it('sets PRODUCTION itself, wherever HOST may lead', () => {
    const line = dockerfile.findLast((text) => text.startsWith('ENV '))!;
    const environment = Object.fromEntries(
      line
        .slice('ENV '.length)
        .split(' ')
        .map((pair) => pair.split('=')),
    );
    expect(environment).toMatchObject({ PRODUCTION: 'true' });
    expect(loadSettings({ ...environment, HOST: '127.0.0.1' }).production).toBe(true);
  });

  it('has no step that needs a development dependency after they are pruned', () => {
    const final = dockerfile.slice(dockerfile.findLastIndex((line) => line.startsWith('FROM ')));
    expect(final.filter((line) => /^RUN .*(?:npm|tsc)/.test(line))).toEqual([]);
  });
});

it.each(['.gitignore', '.dockerignore'])(
  '%s leaves out files of settings, which hold secrets',
  (file) => {
    expect(read(file).split('\n')).toEqual(expect.arrayContaining(['.env', '.env.*']));
  },
);
