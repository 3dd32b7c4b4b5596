import client from 'prom-client';

const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = client;

/** Histogram buckets (seconds), from below the cost of a command up to a client's typical time-out. */
const BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A value of a metric as the registry prints it. */
interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Durations of requests with one set of labels. prom-client looks its own series up by a text of all labels. */
class Series {
  private readonly counts: number[] = BUCKETS_S.map(() => 0);
  private sum = 0;
  private count = 0;

  constructor(private readonly labels: Readonly<Record<string, string>>) {}

  observe(seconds: number): void {
    this.sum += seconds;
    this.count += 1;
    let bucket = 0;
    while (bucket < BUCKETS_S.length && seconds > BUCKETS_S[bucket]!) bucket += 1;
    if (bucket < BUCKETS_S.length) this.counts[bucket]! += 1;
  }

  *samples(name: string): Generator<Sample> {
    const { labels } = this;
    let value = 0;
    for (const [bucket, le] of BUCKETS_S.entries()) {
      value += this.counts[bucket]!;
      yield { metricName: `${name}_bucket`, labels: { le, ...labels }, value };
    }
    yield { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: this.count };
    yield { metricName: `${name}_sum`, labels, value: this.sum };
    yield { metricName: `${name}_count`, labels, value: this.count };
  }
}

/** Begins the name of every metric but those of Node.js, which have their usual names (`process_`, `nodejs_`). */
export const PREFIX = 'drive_workspace_';

/** Metrics of one process in Prometheus text format. All methods add the prefix to the name. */
export class Metrics {
  readonly registry = new Registry();
  private readonly errors: client.Counter<'status' | 'type'>;
  private readonly closed: client.Counter<'reason'>;
  /** By route, method and first digit of the status, so that no key text is built per request. */
  private readonly series = new Map<string, Map<string, Series[]>>();

  /** @param with_process adds memory, event loop and garbage collection of the process */
  constructor(with_process = true) {
    if (with_process) collectDefaultMetrics({ register: this.registry });
    const name = `${PREFIX}http_request_duration_seconds`;
    const help = 'Time from the first byte of a request to the last byte of its response';
    const about = { name, help, type: 'histogram', labelNames: ['method', 'route', 'status'] };
    const get = async () => {
      const values = this.requestSeries().flatMap((series) => [...series.samples(name)]);
      return { ...about, values };
    };
    this.registry.registerMetric({ ...about, get } as unknown as client.Metric);
    this.errors = this.counter(
      'http_errors_total',
      'Requests that ended with an error, by status and type of the error',
      ['status', 'type'],
    );
    this.closed = this.counter(
      'http_connections_closed_total',
      'Connections closed because of too many waiting requests, or too many unread bytes',
      ['reason'],
    );
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
    const series = (of_method[digit] ??= new Series({ method, route, status: `${digit}xx` }));
    series.observe(duration_ms / 1000);
  }

  private requestSeries(): Series[] {
    const of_methods = [...this.series.values()].flatMap((of_route) => [...of_route.values()]);
    // Digits without requests have no series.
    return of_methods.flatMap((of_method) => of_method.filter(Boolean));
  }

  /** Counts one error. @param type the slug of the response */
  observeError(status: number, type: string): void {
    this.errors.inc({ status, type });
  }

  /** Counts a connection that was closed for what its client did not read. */
  observeClosed(reason: 'unread' | 'waiting'): void {
    this.closed.inc({ reason });
  }

  counter<Label extends string = never>(
    name: string,
    help: string,
    labels: readonly Label[] = [],
  ): client.Counter<Label> {
    return new Counter({
      name: PREFIX + name,
      help,
      labelNames: labels,
      registers: [this.registry],
    });
  }

  /** Registers a histogram of durations. */
  histogram<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): client.Histogram<Label> {
    return new Histogram({
      name: PREFIX + name,
      help,
      labelNames: labels,
      buckets: BUCKETS_S,
      registers: [this.registry],
    });
  }

  /** Registers a gauge that is always 1 and says something about the process by its labels. */
  info(name: string, help: string, labels: Readonly<Record<string, string>>): void {
    const gauge = new Gauge({
      name: PREFIX + name,
      help,
      labelNames: Object.keys(labels),
      registers: [this.registry],
    });
    gauge.set(labels, 1);
  }

  /** Registers a gauge; `read` runs at every request for the metrics. No sample is shown while it returns null. */
  gauge(name: string, help: string, read: () => number | null | Promise<number | null>): void {
    this.registry.registerMetric(
      new Gauge({
        name: PREFIX + name,
        help,
        registers: [],
        async collect() {
          const value = await read();
          if (value === null) this.remove();
          else this.set(value);
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
        name: PREFIX + name,
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
  outcomes(name: string, help: string, read: () => Readonly<Record<string, number>>): void {
    this.registry.registerMetric(
      new Counter({
        name: PREFIX + name,
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

  async page(): Promise<{ content_type: string; body: string }> {
    return { content_type: this.registry.contentType, body: await this.registry.metrics() };
  }
}
