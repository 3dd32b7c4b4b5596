import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, renderError, toApiError, NotModified } from './errors.js';
import { allowedMethods } from './known-paths.js';
import { loggedPath, type JsonLogger } from './logs/logging.js';
import type { Metrics } from './metrics.js';
import { upgradeOf } from './web-sockets.js';

/** Headers that a handler may have set for its success response. */
const STALE_HEADERS = [
  'content-length',
  'content-disposition',
  'etag',
  'cache-control',
  'last-modified',
  'repr-digest',
];

export type ErrorObserver = Pick<Metrics, 'observeError'>;

/** Sends the error response for anything thrown while a request was handled. */
export function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: JsonLogger,
  metrics?: ErrorObserver,
): void {
  if (thrown instanceof NotModified) {
    void reply.code(304).send();
    return;
  }
  const error = orWrongMethod(toApiError(thrown), request);
  metrics?.observeError(error.status, error.type);
  const unexpected = error.status === 500 ? thrown : error.cause;
  if (unexpected !== undefined) {
    const path = loggedPath(request);
    logger.failure({ request_id: request.id, method: request.method, path }, unexpected);
  }
  const upgrade = upgradeOf(request);
  if (upgrade) {
    upgrade.refuse(request, reply, error);
    return;
  }
  if (reply.sent || reply.raw.headersSent) {
    // Part of the response has been sent (of an event stream, for example), so the connection is cut.
    reply.raw.destroy();
    return;
  }
  const rendered = renderError(error, request.id, request.headers.accept);
  for (const name of STALE_HEADERS) reply.removeHeader(name);
  for (const name in error.headers) reply.header(name, error.headers[name]);
  void reply
    .code(rendered.status)
    .header('content-type', rendered.content_type)
    .send(rendered.body);
}

/** Replaces 404 by 405 if the path has routes for other methods. */
function orWrongMethod(error: ApiError, request: FastifyRequest): ApiError {
  if (error.type !== 'route.unknown') return error;
  const methods = allowedMethods(request);
  if (methods.length === 0) return error;
  return ApiError.of('route.wrong-method', { headers: { Allow: methods.join(', ') } });
}

@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: JsonLogger,
    private readonly metrics?: ErrorObserver,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(thrown, http.getRequest(), http.getResponse(), this.logger, this.metrics);
  }
}
