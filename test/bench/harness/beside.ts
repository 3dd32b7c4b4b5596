import { get, LoadClient, post, type Request } from './load.js';
import type { Child } from './process.js';
import { show } from './report.js';
import type { Bench, Line } from './row.js';

const CONNECTIONS = 4;
const PAUSE_MS = 5;
const IDLE_MS = 3_000;
const MOST_MS = 50;
const MOST_TIMES = 3;

/** The members of an answer that rows read. */
interface Answer {
  readonly ok?: { readonly data?: { readonly '0'?: ActionOutcome } };
}

interface ActionOutcome {
  readonly success: boolean;
  readonly response: {
    readonly result?: { readonly id?: string; readonly folder?: { readonly id: string } };
  };
}

function isRefused({ ok }: Answer): boolean {
  return !ok || ok.data?.[0]?.success === false;
}

/** What callers of another organization feel while a service answers requests that take long. */
export class Beside {
  private constructor(
    private readonly bench: Bench,
    private readonly service: Child,
    private readonly loader: LoadClient,
    private readonly live: LoadClient,
    private readonly health: LoadClient,
    private readonly other: Request,
  ) {}

  static async of(service: Child, bench: Bench): Promise<Beside> {
    const [loader, live, health] = await Promise.all([
      LoadClient.connect(service.port, 1),
      LoadClient.connect(service.port, CONNECTIONS),
      LoadClient.connect(service.port, 1),
    ]);
    const made = JSON.parse(await loader.ask(post('/v1/factory/quickstart', '{}'))) as {
      ok: {
        data: {
          organization: { drive_id: string };
          admin: { user_id: string; api_key_value: string };
        };
      };
    };
    const { organization, admin } = made.ok.data;
    const path = `/v1/drive/${organization.drive_id}/contacts/get/${admin.user_id}`;
    return new Beside(bench, service, loader, live, health, get(path, admin.api_key_value));
  }

  /** Gets of the other organization while nothing else happens. */
  async idle(): Promise<{ p50_ms: number; p99_ms: number }> {
    this.bench.progress('idle');
    return this.live.run({ ...this.gets, duration_ms: IDLE_MS });
  }

  /** The answer of one request. */
  async ask(request: Request): Promise<Answer> {
    return JSON.parse(await this.loader.ask(request)) as Answer;
  }

  /** What the others feel while the requests are answered, one after another, and how long those take. */
  async during(
    what: string,
    requests: readonly Request[],
    idle: { p50_ms: number; p99_ms: number },
  ): Promise<readonly Line[]> {
    const { live, health, service } = this;
    this.bench.progress(what);
    await service.stretch();
    const over = new AbortController();
    const until = { duration_ms: 600_000, until: over.signal };
    const looks = { next: () => get('/health'), pause_ms: PAUSE_MS };
    const running = [live.run({ ...this.gets, ...until }), health.run({ ...looks, ...until })];
    const started = performance.now();
    const answers: Answer[] = [];
    for (const request of requests) answers.push(await this.ask(request));
    const seconds = (performance.now() - started) / 1000;
    over.abort();
    const [gets, healths] = await Promise.all(running);
    const { longest_ms, longest_cpu_ms } = await service.stretch();
    const refused = answers.find(isRefused);
    if (refused) throw new Error(`${what}: ${JSON.stringify(refused)}`);
    const most = (latencies: readonly number[]): number => Math.max(...latencies);
    return [
      {
        what: `get of another organization while ${what}`,
        target: `p99 ≤ ${MOST_TIMES} × idle`,
        measured: `${(gets!.p99_ms / idle.p99_ms).toFixed(1)} ×: p50 ${show(gets!.p50_ms)} ms, p99 ${show(gets!.p99_ms)} ms, longest ${show(most(gets!.latencies_ms))} ms`,
        reference: `idle p50 ${show(idle.p50_ms)} ms, p99 ${show(idle.p99_ms)} ms; it took ${show(seconds)} s`,
        holds: gets!.p99_ms <= MOST_TIMES * idle.p99_ms,
        figures: {
          ...{ p50_ms: gets!.p50_ms, p99_ms: gets!.p99_ms, idle_p99_ms: idle.p99_ms, seconds },
        },
      },
      {
        what: '/health meanwhile',
        target: `longest ≤ ${MOST_MS} ms`,
        measured: `p99 ${show(healths!.p99_ms)} ms, longest ${show(most(healths!.latencies_ms))} ms`,
        reference: '',
        holds: most(healths!.latencies_ms) <= MOST_MS,
        figures: { p99_ms: healths!.p99_ms, longest_ms: most(healths!.latencies_ms) },
      },
      {
        what: 'longest stretch without a turn of the event loop meanwhile, by work of its thread',
        target: `≤ ${MOST_MS} ms`,
        measured: `${show(longest_cpu_ms)} ms`,
        reference: `by the clock ${show(longest_ms)} ms`,
        holds: longest_cpu_ms <= MOST_MS,
        figures: { longest_cpu_ms, longest_ms },
      },
    ];
  }

  close(): void {
    for (const client of [this.loader, this.live, this.health]) client.close();
  }

  private get gets(): { next: () => Request; pause_ms: number } {
    return { next: () => this.other, pause_ms: PAUSE_MS };
  }
}
