import { randomBytes } from 'node:crypto';
import { composed, type Project } from '../docs/compose/composed.js';
import type { Engine } from './engine.js';
import { eventually } from './eventually.js';

const FILE = 'docker-compose.yml';
const SHOWN_CHARACTERS = 3_000;
const PROJECT = 'drive-image-test';

/** The services of docker-compose.yml, as they stand there. */
export class Composition {
  private readonly variables = {
    MASTER_KEY: randomBytes(32).toString('hex'),
    SIGNING_KEY: randomBytes(32).toString('hex'),
  };
  private readonly project: Project;
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

  /** The end of what each container wrote. */
  async logs(): Promise<string> {
    const parts = [];
    for (const name of ['kurrentdb', 'mongodb', 'proxy', ...this.apis, ...this.workers]) {
      const said = await this.engine.logs(containerOf(name)).catch(String);
      parts.push(`== ${name}\n${said.slice(-SHOWN_CHARACTERS)}`);
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
    await this.engine.podman('start', containerOf(name));
  }

  async stop(names: readonly string[]): Promise<void> {
    await this.compose('stop', '--timeout', '20', ...names);
  }

  /** Ends a container for good. */
  async kill(name: string): Promise<void> {
    await this.engine.podman('kill', '--signal', 'KILL', containerOf(name));
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
    for (const name of names)
      await eventually(() => this.engine.podman('healthcheck', 'run', containerOf(name)));
  }

  /** A figure of one process, which the proxy does not show. */
  async metric(name: string, metric: string): Promise<number> {
    const fetching =
      "fetch('http://127.0.0.1:3000/metrics').then((answer) => answer.text()).then(console.log)";
    const text = await this.engine.podman('exec', containerOf(name), 'node', '-e', fetching);
    const begins = `drive_workspace_${metric} `;
    const line = text.split('\n').find((one) => one.startsWith(begins));
    if (line === undefined) throw new Error(`${name} has no metric ${metric}`);
    return Number(line.slice(begins.length));
  }

  private inspect(name: string, format: string): Promise<string> {
    return this.engine.podman('inspect', '--format', format, containerOf(name));
  }

  private compose(...args: readonly string[]) {
    return this.engine.compose(this.variables, '-p', PROJECT, '-f', FILE, ...args);
  }
}

const containerOf = (service: string): string => `${PROJECT}_${service}_1`;
