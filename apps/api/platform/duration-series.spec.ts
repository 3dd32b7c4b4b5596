import client from 'prom-client';
import { DurationSeries } from './duration-series.js';

const NAME = 'spent_seconds';
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Bounds, values between and beyond them, of three series. */
const OBSERVED: [method: string, route: string, status_class: number, seconds: number][] = [
  ['GET', '/a', 2, 0],
  ['GET', '/a', 2, 0.0005],
  ['GET', '/a', 2, 0.00051],
  ['GET', '/a', 4, 0.25],
  ['POST', '/a', 2, 10],
  ['POST', '/a', 2, 11],
  ['POST', '/"b"', 2, 1],
];

async function linesOf(fill: (registry: client.Registry) => void): Promise<string[]> {
  const registry = new client.Registry();
  fill(registry);
  const text = await registry.metrics();
  // The order of labels means nothing.
  return text
    .split('\n')
    .map((line) => line.replace(/\{(.*)\}/, (_, all: string) => all.split(',').toSorted().join()))
    .toSorted();
}

it('is shown as the histogram of prom-client is', async () => {
  const own = await linesOf((registry) => {
    const series = new DurationSeries(NAME, 'Time spent');
    for (const observed of OBSERVED) series.observe(...observed);
    registry.registerMetric(series.metric);
  });
  const theirs = await linesOf((registry) => {
    const histogram = new client.Histogram({
      name: NAME,
      help: 'Time spent',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [registry],
    });
    for (const [method, route, status, seconds] of OBSERVED)
      histogram.labels(method, route, `${status}xx`).observe(seconds);
  });
  expect(own).toEqual(theirs);
  expect(own).toContainEqual(expect.stringContaining('_sum'));
});
