import { randomBytes } from 'node:crypto';
import { composed, type Project } from '../docs/compose/composed.js';
import type { Engine } from './engine.js';
import { eventually } from '../support/eventually.js';

const FILE = 'docker-compose.yml';
const SHOWN_CHARACTERS = 3_000;

/** The services of docker-compose.yml, as they stand there. */
export class Composition {
  private readonly variables = {
    MASTER_KEY: randomBytes(32).toString('hex'),
    SIGNING_KEY: randomBytes(32).toString('hex'),
  };
  private readonly project: Project;
  /** New, since Podman remembers the last address that it gave in a network of a name, also of an earlier run. */
  private readonly name = `drive-image-${randomBytes(4).toString('hex')}`;
  readonly apis = ['api-1', 'api-2'];
  readonly workers = ['worker-1', 'worker-2'];

  constructor(private readonly engine: Engine) {
    const { project, problems } = composed([FILE], this.variables);
    if (!project) throw new Error(problems);
    this.project = project;
  }

  /** Where clients reach the service. */
  get url(): string {
    const [{ host_ip, published }] = this.project.services['proxy']!.ports as [
      { host_ip: string; published: string },
    ];
    return `http://${host_ip}:${published}`;
  }

  /** The state of each container, and the end of what it wrote. */
  async logs(): Promise<string> {
    const parts = [];
    for (const name of Object.keys(this.project.services)) {
      const format = '{{.State.Status}}, {{.RestartCount}} restarts';
      const state = await this.inspect(name, format).catch(String);
      const said = await this.engine.logs(this.containerOf(name)).catch(String);
      parts.push(`== ${name}: ${state}\n${said.slice(-SHOWN_CHARACTERS)}`);
    }
    return parts.join('\n');
  }

  async up(): Promise<void> {
    await this.compose('up', '--detach', '--no-build');
  }

  /** Removes containers and networks; volumes stay. */
  async down(): Promise<void> {
    await this.compose('down');
  }

  async start(name: string): Promise<void> {
    await this.engine.podman('start', this.containerOf(name));
  }

  async stop(names: readonly string[]): Promise<void> {
    await this.compose('stop', '--timeout', '20', ...names);
  }

  /** Ends a container for good. */
  async kill(name: string): Promise<void> {
    await this.engine.podman('kill', '--signal', 'KILL', this.containerOf(name));
  }

  /** Kills the process of a container, as the kernel does when memory runs out. */
  async crash(name: string): Promise<void> {
    process.kill(Number(await this.inspect(name, '{{.State.Pid}}')), 'SIGKILL');
  }

  async restarts(name: string): Promise<number> {
    return Number(await this.inspect(name, '{{.RestartCount}}'));
  }

  async exitCode(name: string): Promise<number> {
    return Number(await this.inspect(name, '{{.State.ExitCode}}'));
  }

  /** Resolves once services pass their health checks; all of them if none is named. */
  async healthy(names: readonly string[] = Object.keys(this.project.services)): Promise<void> {
    // Without systemd, Podman runs no check by itself.
    const check = (name: string) =>
      this.engine.podman('healthcheck', 'run', this.containerOf(name));
    await Promise.all(names.map((name) => eventually(() => check(name))));
  }

  /** A figure of one process, which the proxy does not show. */
  async metric(name: string, metric: string): Promise<number> {
    const fetching =
      "fetch('http://127.0.0.1:3000/metrics').then((answer) => answer.text()).then(console.log)";
    const text = await this.engine.podman('exec', this.containerOf(name), 'node', '-e', fetching);
    const begins = `drive_workspace_${metric} `;
    const line = text.split('\n').find((one) => one.startsWith(begins));
    if (line === undefined) throw new Error(`${name} has no metric ${metric}`);
    return Number(line.slice(begins.length));
  }

  private inspect(name: string, format: string): Promise<string> {
    return this.engine.podman('inspect', '--format', format, this.containerOf(name));
  }

  private containerOf(service: string): string {
    return `${this.name}_${service}_1`;
  }

  private compose(...args: readonly string[]) {
    return this.engine.compose(this.variables, '-p', this.name, '-f', FILE, ...args);
  }
}
