import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../api/platform/metrics.js';

interface HealthSource {
  /** The body of `/ready`; the status is 503 if `ready` is false. */
  readonly ready: () => Promise<{ readonly ready: boolean }>;
  readonly metrics: Metrics;
}

/** The HTTP endpoint of a worker, which serves only health and metrics. */
interface WorkerHttp {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `/health`, `/ready` and `/metrics`. */
export async function serveHealth(
  source: HealthSource,
  port: number,
  host: string,
): Promise<WorkerHttp> {
  const server = createServer((request, response) => {
    respond(source, request.method === 'GET' ? request.url : undefined).then(
      ({ status, type, body }) => response.writeHead(status, { 'Content-Type': type }).end(body),
      // The failing component has logged the cause.
      () => response.writeHead(503).end(),
    );
  });
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shown}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface HealthResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

async function respond(
  { ready, metrics }: HealthSource,
  path: string | undefined,
): Promise<HealthResponse> {
  if (path === '/health') return json(200, { message: 'OK' });
  if (path === '/ready') {
    const report = await ready();
    return json(report.ready ? 200 : 503, report);
  }
  if (path === '/metrics') {
    const { content_type: type, body } = await metrics.page();
    return { status: 200, type, body };
  }
  return json(404, { message: 'A worker serves only GET /health, /ready and /metrics.' });
}

function json(status: number, body: object): HealthResponse {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
