import client from 'prom-client';
import { Metrics } from './metrics.js';

describe('request metrics', () => {
  it('form one histogram with method, route and status', async () => {
    const metrics = new Metrics(false);
    const registry = new client.Registry();
    const one = new client.Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    });
    const lines = (text: string): string[] => text.split('\n').filter(Boolean).sort();
    const compare = async (): Promise<void> => {
      const { body, content_type } = await metrics.page();
      expect(lines(body)).toEqual(lines(await registry.metrics()));
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
    metrics.counter('sent', 'Sent', () => ({ yes: 2 }));
    metrics.observeRequest('GET', '/', 200, 1);
    const { body } = await metrics.page();
    expect(body).toMatch(/^# HELP http_request_duration_seconds /);
    expect(body).toContain('\n# HELP drives Drives in memory\n# TYPE drives gauge\ndrives 3\n');
    expect(body).toContain('\nsent{outcome="yes"} 2\n');
    expect(body.endsWith('\n')).toBe(true);
  });
});
