import client from 'prom-client';

const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = client;

/** From well below the cost of a command to what a client would call hanging (seconds). */
const BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Durations under one set of labels. */
interface Series {
  observe(seconds: number): void;
}

/** Figures of one process in Prometheus' text form. */
export class Metrics {
  readonly registry = new Registry();
  private readonly durations: client.Histogram<'method' | 'route' | 'status'>;
  /** By route, method and first digit of the status: what is looked up so needs no text of its own. */
  private readonly series = new Map<string, Map<string, Series[]>>();

  /** @param with_process also memory, event loop and garbage collection of the process */
  constructor(with_process = true) {
    if (with_process) collectDefaultMetrics({ register: this.registry });
    this.durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS_S,
      registers: [this.registry],
    });
  }

  /**
   * Counts one request.
   *
   * @param route the route's pattern, never the path: each pattern is a series of its own
   */
  observeRequest(method: string, route: string, status: number, duration_ms: number): void {
    let of_route = this.series.get(route);
    if (!of_route) this.series.set(route, (of_route = new Map()));
    let of_method = of_route.get(method);
    if (!of_method) of_route.set(method, (of_method = []));
    const digit = Math.floor(status / 100);
    const series = (of_method[digit] ??= this.durations.labels(method, route, `${digit}xx`));
    series.observe(duration_ms / 1000);
  }

  /** Registers a figure that is looked up whenever somebody asks. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(await read());
        },
      }),
    );
  }

  /** Registers figures told apart by one label, looked up whenever somebody asks. */
  gauges(
    name: string,
    help: string,
    label: string,
    read: () => Readonly<Record<string, number>>,
  ): void {
    this.registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [],
        collect() {
          this.reset();
          for (const [value, count] of Object.entries(read())) this.set({ [label]: value }, count);
        },
      }),
    );
  }

  /** Registers counts by outcome that only grow, looked up whenever somebody asks. */
  counter(name: string, help: string, read: () => Readonly<Record<string, number>>): void {
    this.registry.registerMetric(
      new Counter({
        name,
        help,
        labelNames: ['outcome'],
        registers: [],
        collect() {
          this.reset();
          for (const [outcome, count] of Object.entries(read())) this.inc({ outcome }, count);
        },
      }),
    );
  }

  /** The answer of `GET /metrics`. */
  async page(): Promise<{ content_type: string; body: string }> {
    return { content_type: this.registry.contentType, body: await this.registry.metrics() };
  }
}
