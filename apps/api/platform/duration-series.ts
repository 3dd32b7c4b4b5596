import type { Metric, MetricValueWithName } from 'prom-client';

/** From well below the cost of a command to what a client would call hanging (seconds). */
const BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Durations of the requests of one route, method and class of status. */
class Series {
  /** Requests by the least bucket that holds them; the last place has those beyond every bucket. */
  readonly counts = new Float64Array(BUCKETS_S.length + 1);
  sum_s = 0;

  constructor(readonly labels: Readonly<Record<string, string>>) {}

  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < BUCKETS_S.length && seconds > BUCKETS_S[bucket]!) bucket += 1;
    this.counts[bucket]! += 1;
    this.sum_s += seconds;
  }
}

/**
 * A histogram of durations, shown as prom-client shows its own. Theirs checks and hashes all labels of
 * every observation, which took longer than finding what most requests ask for.
 */
export class DurationSeries {
  /** By route, then method and class of status. */
  private readonly routes = new Map<string, Map<string, (Series | undefined)[]>>();

  constructor(
    private readonly name: string,
    private readonly help: string,
  ) {}

  /** @param status_class first digit of the status */
  observe(method: string, route: string, status_class: number, seconds: number): void {
    let methods = this.routes.get(route);
    if (!methods) this.routes.set(route, (methods = new Map()));
    let series = methods.get(method);
    if (!series) methods.set(method, (series = []));
    const known = (series[status_class] ??= new Series({
      method,
      route,
      status: `${status_class}xx`,
    }));
    known.observe(seconds);
  }

  /** For a registry. */
  get metric(): Metric {
    const { name, help } = this;
    const get = async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: this.values(),
    });
    return { name, help, get } as unknown as Metric;
  }

  private values(): MetricValueWithName<string>[] {
    return [...this.routes.values()].flatMap((methods) =>
      [...methods.values()].flatMap((series) =>
        series.flatMap((one) => (one ? this.valuesOf(one) : [])),
      ),
    );
  }

  private valuesOf({ labels, counts, sum_s }: Series): MetricValueWithName<string>[] {
    let count = 0;
    const buckets = [...BUCKETS_S, '+Inf'].map((le, at) => {
      count += counts[at]!;
      return { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum_s },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }
}
