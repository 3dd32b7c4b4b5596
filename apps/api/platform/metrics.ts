import client from 'prom-client';

const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = client;

/** Histogram buckets (seconds), from below the cost of a command up to a client's typical time-out. */
const BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Durations with one set of labels. */
interface Series {
  observe(seconds: number): void;
}

/** Metrics of one process in Prometheus text format. */
export class Metrics {
  readonly registry = new Registry();
  private readonly durations: client.Histogram<'method' | 'route' | 'status'>;
  /** By route, method and first digit of the status, so that no key text is built per request. */
  private readonly series = new Map<string, Map<string, Series[]>>();

  /** @param with_process adds memory, event loop and garbage collection of the process */
  constructor(with_process = true) {
    if (with_process) collectDefaultMetrics({ register: this.registry });
    this.durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS_S,
      registers: [this.registry],
    });
  }

  /**
   * Counts one request.
   *
   * @param route the route's pattern, never the path: each pattern is a separate series
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

  /** Registers a counter of events. */
  events(name: string, help: string): { inc(): void } {
    return new Counter({ name, help, registers: [this.registry] });
  }

  /** Registers a gauge; `read` runs at every request for the metrics. */
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

  /** Registers a gauge with one label; `read` returns the figure of each label value. */
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

  /** Registers a counter with the label `outcome`; `read` returns the total of each outcome. */
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

  /** The response to `GET /metrics`. */
  async page(): Promise<{ content_type: string; body: string }> {
    return { content_type: this.registry.contentType, body: await this.registry.metrics() };
  }
}
