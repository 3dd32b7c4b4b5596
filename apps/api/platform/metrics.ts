import client from 'prom-client';
import { DurationSeries } from './duration-series.js';

const { collectDefaultMetrics, Counter, Gauge, Registry } = client;

/** Figures of one process in Prometheus' text form. */
export class Metrics {
  readonly registry = new Registry();
  private readonly durations = new DurationSeries(
    'http_request_duration_seconds',
    'Time from the first byte of a request to the last of its answer',
  );

  /** @param with_process also memory, event loop and garbage collection of the process */
  constructor(with_process = true) {
    if (with_process) collectDefaultMetrics({ register: this.registry });
    this.registry.registerMetric(this.durations.metric);
  }

  /**
   * Counts one request.
   *
   * @param route the route's pattern, never the path: each pattern is a series of its own
   */
  observeRequest(method: string, route: string, status: number, duration_ms: number): void {
    this.durations.observe(method, route, Math.floor(status / 100), duration_ms / 1000);
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
