import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isStreamed } from './requests/streamed.js';

/**
 * Ends requests whose body is not received in time. Node's own timeout cannot except single routes, and uploads may
 * take longer.
 * @param end ends a request with 408
 */
export function limitReceiving(
  server: FastifyInstance,
  timeout_ms: number,
  interval_ms: number,
  end: (request: IncomingMessage) => void,
): void {
  /** Requests with a body, and when they began, the oldest first. */
  const receiving = new Map<IncomingMessage, number>();
  server.addHook('onRequest', (request, _, done) => {
    const { raw, headers } = request;
    const has_body =
      headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
    if (has_body && !raw.complete && !isStreamed(request)) receiving.set(raw, performance.now());
    done();
  });
  server.addHook('preValidation', (request, _, done) => {
    if (request.raw.complete) receiving.delete(request.raw);
    done();
  });
  const timer = setInterval(() => {
    const late = performance.now() - timeout_ms;
    for (const [request, begun_ms] of receiving) {
      const is_over = request.complete || request.destroyed;
      if (!is_over && begun_ms > late) return;
      receiving.delete(request);
      if (!is_over) end(request);
    }
  }, interval_ms);
  timer.unref();
  server.addHook('onClose', (_, done) => {
    clearInterval(timer);
    done();
  });
}
