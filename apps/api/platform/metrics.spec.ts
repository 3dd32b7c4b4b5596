import client from 'prom-client';
import { Metrics, PREFIX } from './metrics.js';

describe('request metrics', () => {
  it('form one histogram with method, route and status', async () => {
    const metrics = new Metrics(false);
    const registry = new client.Registry();
    const one = new client.Histogram({
      name: 'drive_workspace_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    });
    const lines = (text: string): string[] => text.split('\n').filter(Boolean).sort();
    const compare = async (): Promise<void> => {
      const { body, content_type } = await metrics.page();
      const own = lines(body).filter((line) => line.includes('http_request_duration_seconds'));
      expect(own).toEqual(lines(await registry.metrics()));
      expect(content_type).toBe(registry.contentType);
    };
    await compare();
    for (let nth = 0; nth < 200; nth++) {
      const [method, status] = [['GET', 'POST'][nth % 2]!, [200, 204, 404, 503][nth % 4]!];
      const route = ['/v1/a/:id', '/v1/b', 'none'][nth % 3]!;
      const duration_ms = 2 ** (nth % 15) / 3;
      metrics.observeRequest(method, route, status, duration_ms);
      const labels = { method, route, status: `${String(status)[0]}xx` };
      one.observe(labels, duration_ms / 1000);
    }
    await compare();
    await compare();
  });

  it('are served with all other metrics', async () => {
    const metrics = new Metrics(false);
    metrics.gauge('drives', 'Drives in memory', () => 3);
    metrics.gauge('unknown', 'Unknown for now', () => null);
    metrics.outcomes('sent', 'Sent', () => ({ yes: 2 }));
    metrics.info('about', 'About', { version: '1' });
    metrics.observeRequest('GET', '/', 200, 1);
    metrics.observeError(429, 'rate.limited');
    metrics.observeClosed('unread');
    const { body } = await metrics.page();
    const lines = body.split('\n').filter((line) => !line.includes('_duration_seconds'));
    expect(lines).toEqual([
      '',
      '# HELP drive_workspace_http_errors_total Requests that ended with an error, by status and type of the error',
      '# TYPE drive_workspace_http_errors_total counter',
      'drive_workspace_http_errors_total{status="429",type="rate.limited"} 1',
      '',
      '# HELP drive_workspace_http_connections_closed_total Connections closed because of too many waiting requests, or too many unread bytes',
      '# TYPE drive_workspace_http_connections_closed_total counter',
      'drive_workspace_http_connections_closed_total{reason="unread"} 1',
      '',
      '# HELP drive_workspace_drives Drives in memory',
      '# TYPE drive_workspace_drives gauge',
      'drive_workspace_drives 3',
      '',
      '# HELP drive_workspace_unknown Unknown for now',
      '# TYPE drive_workspace_unknown gauge',
      '',
      '# HELP drive_workspace_sent Sent',
      '# TYPE drive_workspace_sent counter',
      'drive_workspace_sent{outcome="yes"} 2',
      '',
      '# HELP drive_workspace_about About',
      '# TYPE drive_workspace_about gauge',
      'drive_workspace_about{version="1"} 1',
      '',
    ]);
  });

  it('have the prefix unless they are those of Node.js', async () => {
    const names = new Metrics().registry.getMetricsAsArray().map(({ name }) => name);
    const own = names.filter((name) => !/^(?:process|nodejs)_/.test(name));
    expect(own.length).toBeGreaterThan(0);
    for (const name of own) expect(name.startsWith(PREFIX)).toBe(true);
  });
});
