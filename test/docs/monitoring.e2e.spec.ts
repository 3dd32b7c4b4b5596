import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Metrics, PREFIX } from '../../apps/api/platform/metrics.js';
import {
  observedWrites,
  registerBuild,
  registerEngine,
} from '../../apps/api/system/engine-metrics.js';
import { registerWorker } from '../../apps/worker/metrics.js';
import { describeWith } from '../support/needs.js';
import { TestService } from '../support/service.js';
import { read, REPOSITORY, section, tableRows } from './markdown.js';

const FOLDER = 'docs/monitoring';
const README = read(`${FOLDER}/README.md`);
const ALERTS = read(`${FOLDER}/alerts.yml`);
const DASHBOARD = read(`${FOLDER}/dashboard.json`);

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

const metricsOf = (metrics: Metrics): Metric[] =>
  metrics.registry.getMetricsAsArray() as unknown as Metric[];

/** As a worker registers them; nothing is read. */
function ofWorker(): Metric[] {
  const metrics = new Metrics();
  registerBuild(metrics, 'worker');
  observedWrites(metrics);
  registerEngine(metrics, {} as never, {} as never);
  registerWorker(metrics, {} as never, 64);
  // A worker answers no requests.
  return metricsOf(metrics).filter(({ name }) => !name.startsWith(`${PREFIX}http_`));
}

function promtool(args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    ...{ cwd: join(REPOSITORY, FOLDER), input, encoding: 'utf8' },
  });
  return status === 0 ? 'fine' : `${stdout}${stderr}`;
}

describe('docs/monitoring', () => {
  let service: TestService;
  let api: Metric[];

  beforeAll(async () => {
    service = await TestService.start();
    api = metricsOf(service.server.app.get(Metrics));
  });
  afterAll(() => service.stop());

  /** Names of all series. */
  const seriesNames = (): Set<string> =>
    new Set(
      [...api, ...ofWorker()].flatMap(({ name, type }) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
  const namesIn = (text: string): string[] => [
    ...new Set(
      [...text.matchAll(/\b(?:drive_workspace|process|nodejs)_\w+/g)].map(([name]) => name),
    ),
  ];

  it('lists every metric with its type, labels, process and help', () => {
    const worker = new Map(ofWorker().map((metric) => [metric.name, metric]));
    const of_api = new Set(api.map(({ name }) => name));
    const all = new Map([...api.map((metric) => [metric.name, metric] as const), ...worker]);
    const own = [...all.values()].filter(({ name }) => name.startsWith(PREFIX));
    const processOf = (name: string): string => {
      if (!of_api.has(name)) return 'worker';
      return worker.has(name) ? 'both' : 'API';
    };
    const rows = tableRows(section(README, '## Metrics')).map(([name, type, labels, on, help]) => [
      ...[name, type, labels],
      on === 'API, embedded' ? 'API' : on,
      help,
    ]);
    const expected = own.map(({ name, type, labelNames, help }) => [
      ...[name, type, labelNames.join(', ')],
      processOf(name),
      help,
    ]);
    const byName = (a: (string | undefined)[], b: (string | undefined)[]) =>
      a[0]! < b[0]! ? -1 : 1;
    expect(rows.toSorted(byName)).toEqual(expected.toSorted(byName));
  });

  it.each(['alerts.yml', 'alerts.test.yml', 'dashboard.json'])(
    'names in %s only metrics that exist',
    (file) => {
      const names = namesIn(read(`${FOLDER}/${file}`));
      const known = seriesNames();
      expect(names.length).toBeGreaterThan(10);
      expect(names.filter((name) => !known.has(name))).toEqual([]);
    },
  );

  it('shows every metric on the dashboard', () => {
    const shown = namesIn(DASHBOARD).map((name) => name.replace(/_(?:bucket|count|sum)$/, ''));
    const own = tableRows(section(README, '## Metrics')).map(([name]) => name);
    expect(own.filter((name) => !shown.includes(name!))).toEqual([]);
  });

  it('has panels with unique ids that do not overlap', () => {
    const { panels } = JSON.parse(DASHBOARD) as {
      panels: { id: number; gridPos: { h: number; w: number; x: number; y: number } }[];
    };
    const taken = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(taken).size).toBe(taken.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  it('omits from the alert for slow requests only routes that exist', async () => {
    const [, pattern] = /route!~"([^"]+)"/.exec(ALERTS)!;
    const { body } = await service.client().get('/openapi.json');
    const routes = Object.keys(body.paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1'));
    // WebSockets are not in the document.
    routes.push('/v1/drive/:organization_id/organization/webrtc');
    const parts = [...pattern!.matchAll(/\w+(?=[|)])/g)].map(([part]) => part);
    const omitted = routes.filter((route) => new RegExp(`^(?:${pattern})$`).test(route));
    expect(parts).toEqual(expect.arrayContaining(['events', 'replay', 'asset']));
    for (const part of parts)
      expect([part, omitted.some((route) => route.split('/').includes(part))]).toEqual([
        part,
        true,
      ]);
    expect(omitted.length).toBeLessThan(routes.length / 4);
  });

  it('labels requests with the routes that the alert names', async () => {
    const { drive_id, admin } = await service.organization();
    await admin.post('/organization/replay', {});
    const { body } = await service.client().get('/metrics');
    expect(body).toContain('route="/v1/drive/:organization_id/organization/replay"');
    expect(body).not.toContain(drive_id);
    expect(body).toMatch(/^drive_workspace_events_appended_total [1-9]/m);
    expect(body).toMatch(
      /^drive_workspace_build_info\{version="\d+\.\d+\.\d+",.*process="api"\} 1$/m,
    );
  });

  describeWith('promtool')('checked by Prometheus', () => {
    it('has a valid configuration', () =>
      expect(promtool(['check', 'config', 'prometheus.yml'])).toBe('fine'));

    it('has rules that raise each alert, and none of a healthy installation', () => {
      expect(promtool(['check', 'rules', 'alerts.yml'])).toBe('fine');
      expect(promtool(['test', 'rules', 'alerts.test.yml'])).toBe('fine');
      const alerts = [...ALERTS.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
      const raised = new Set(
        [...read(`${FOLDER}/alerts.test.yml`).matchAll(/alertname="(\w+)"/g)].map(
          ([, name]) => name!,
        ),
      );
      expect(alerts.filter((name) => !raised.has(name))).toEqual([]);
    });

    it('finds nothing wrong with the metrics', async () => {
      const { body } = await service.client().get('/metrics');
      const own = (body as string).split('\n').filter((line) => line.includes(PREFIX));
      expect(promtool(['check', 'metrics'], `${own.join('\n')}\n`)).toBe('fine');
    });
  });
});
