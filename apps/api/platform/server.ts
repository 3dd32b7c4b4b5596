import type { ServerOptions, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { RequestMethod, StreamableFile, type INestApplication } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compileRoute, type Route, type Routing } from './routes/compiled-route.js';
import { type ErrorObserver, sendError, ErrorFilter } from './error-filter.js';
import { ApiError, renderError, toApiError } from './errors.js';
import { recordPaths } from './known-paths.js';
import { loggedPath, type JsonLogger } from './logs/logging.js';
import type { Metrics } from './metrics.js';
import type { Settings } from './settings/settings.js';
import { limitReceiving } from './receive-timeout.js';
import { installStreams } from './requests/streamed.js';
import { installJsonParser } from './requests/json-body.js';
import { Pipelining } from './requests/pipelining.js';
import { installPreferHeader, markStrict } from './requests/strictness.js';
import { ValidationPipe } from './requests/validation.js';
import { UnreadResponses } from './unread-responses.js';
import { serveWebSockets, wantsWebSocket } from './web-sockets.js';
import { randomUUID } from 'node:crypto';

const REQUEST_ID_HEADER = 'X-Request-Id';

const VALID_REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The caller's X-Request-Id if it is 1–128 visible ASCII characters, else a fresh UUID. */
function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && VALID_REQUEST_ID.test(given) ? given : randomUUID();
}

const CORS_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const CORS_REQUEST_HEADERS = [
  'Content-Type',
  'Authorization',
  'Accept',
  'Last-Event-ID',
  'Min-Drive-Revision',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Dry-Run',
  'Prefer',
  'Audit-Reason',
  'Repr-Digest',
  'Range',
  'If-Range',
  'If-Modified-Since',
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Defer-Length',
  'Upload-Offset',
  'Upload-Metadata',
  'Upload-Checksum',
  REQUEST_ID_HEADER,
];

const CORS_EXPOSED_HEADERS = [
  'Drive-Revision',
  'ETag',
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'Last-Modified',
  'Repr-Digest',
  'Location',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Checksum-Algorithm',
  'Upload-Length',
  'Upload-Defer-Length',
  'Upload-Offset',
  'Upload-Metadata',
  'Upload-Expires',
  'Idempotent-Replayed',
  'Preference-Applied',
  REQUEST_ID_HEADER,
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'WWW-Authenticate',
  'Allow',
];

/** Lower case, so that Fastify does not convert the name for every response. */
const REQUEST_ID = REQUEST_ID_HEADER.toLowerCase();

/**
 * CORS headers of every response: any origin, no credentials. They are constants, because @fastify/cors
 * evaluates its options again for every request.
 */
const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': CORS_EXPOSED_HEADERS.join(', '),
};

/** Headers of the response to OPTIONS, for any path. Browsers may cache them for up to one day. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': CORS_METHODS.join(', '),
  'access-control-allow-headers': CORS_REQUEST_HEADERS.join(', '),
  'access-control-max-age': '86400',
};

/** Maximum interval at which the server checks for requests that are received too slowly. */
const TIMEOUT_CHECK_INTERVAL_MS = 1_000;
/** Time for a client to read the error response before its connection is destroyed. */
const ERROR_LINGER_MS = 1_000;

/** Paths that accept WebSockets. */
const WEB_SOCKETS = /^\/v1\/drive\/[^/]+\/organization\/webrtc\/?$/;

/** Path of the console's page, which also answers for all paths below, except files. */
const CONSOLE = '/console';
const PAGES = /^\/console\/(?!assets\/)/;

/** Longest path parameter; longer ones are 400. Ids have up to 160 characters; label values are percent-encoded. */
const MAX_PARAM_LENGTH = 2_048;

/** Methods of HTTP for which controllers have routes. */
const ROUTED = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;
type Register = (path: string, handler: Handler) => FastifyInstance;

/** Fastify with the service's own routes and body parser, and unwrapped errors. */
class DriveAdapter extends FastifyAdapter {
  /** Time without progress after which a response is given up with its connection, ms. */
  stall_ms = 0;
  /** Time between two heartbeats of an event stream, ms: it is no lack of progress. */
  heartbeat_ms = 0;
  /** Bounds the responses that clients do not read. */
  unread = new UnreadResponses(Infinity, 0);
  /** Parses the body of an admitted request. */
  parseBody: (request: FastifyRequest) => void = () => {};

  /** Routes registered from now on are handled by what `compiled` returns. */
  compileRoutes(compiled: (handler: Handler) => Handler): void {
    for (const name of ROUTED) {
      const register = this[name].bind(this) as Register;
      const compiling: Register = (path, handler) => {
        const own = compiled(handler);
        // The adapter reads the options of the route from it.
        for (const key of Reflect.getMetadataKeys(handler))
          Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), own);
        return register(path, own);
      };
      this[name] = compiling as never;
    }
  }

  /** Nest's parsers would respond to an unreadable body before the route's guards run. */
  override registerParserMiddleware(): void {}

  /** Text and bytes are sent unchanged: the handler has set their content type. */
  override reply(
    ...[response, body, status]: Parameters<FastifyAdapter['reply']>
  ): ReturnType<FastifyAdapter['reply']> {
    const is_ready = typeof body === 'string' || Buffer.isBuffer(body);
    const raw = 'raw' in response ? response.raw : response;
    // What a stream sends is not known yet.
    if (!is_ready)
      raw.socket?.setTimeout(this.stall_ms + (isEventStream(body) ? this.heartbeat_ms : 0));
    const is_sent_here = is_ready && 'send' in response;
    if (is_sent_here && status !== undefined) void response.code(status);
    const sent = is_sent_here ? response.send(body) : super.reply(response, body, status);
    this.unread.sent(raw, body);
    return sent;
  }

  /** Nest would wrap the error and hide its code, which the exception filter needs. */
  override mapException(error: unknown): unknown {
    return error;
  }
}

function isEventStream(body: unknown): boolean {
  return body instanceof StreamableFile && body.getHeaders().type.startsWith('text/event-stream');
}

type Observer = Pick<Metrics, 'observeRequest' | 'observeError' | 'observeClosed'>;

/**
 * Creates the HTTP server: request ids, CORS, body parsing, access log and request metrics. Requests
 * that fail before a handler runs get the error envelope, too.
 */
export function createFastifyAdapter(
  settings: Settings,
  logger: JsonLogger,
  metrics?: Observer,
): FastifyAdapter {
  const pipelining = new Pipelining(settings.connection_requests_waiting, () =>
    metrics?.observeClosed('waiting'),
  );
  const adapter = new DriveAdapter({
    logger: false,
    // There is no middleware; the middleware runner would cost time for every request.
    skipMiddie: true,
    bodyLimit: settings.body_limit_bytes,
    requestTimeout: 0,
    trustProxy: settings.trusted_proxies.length > 0 ? [...settings.trusted_proxies] : false,
    requestIdHeader: false,
    genReqId: requestId,
    // A closing server still responds to requests; see `drain`.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      if (routeToPage(request, reply)) return;
      // The router failed before any hook ran.
      pipelining.inTurn(request.raw, reply.raw, () => {
        void reply.headers(CORS_HEADERS).header(REQUEST_ID, request.id);
        sendError(error, request, reply, logger, metrics);
      });
    },
    clientErrorHandler: rejectMalformed,
    http: {
      shouldUpgradeCallback: (request) => wantsWebSocket(request, WEB_SOCKETS),
      ...receiveTimeouts(settings),
    },
  });
  adapter.stall_ms = settings.request_timeout_ms;
  adapter.heartbeat_ms = settings.feed_heartbeat_ms;
  adapter.unread = new UnreadResponses(
    settings.responses_unread_bytes,
    settings.request_timeout_ms,
    () => metrics?.observeClosed('unread'),
  );
  const server = adapter.getInstance<FastifyInstance>();
  server.addHook('onRequest', ({ raw }, reply, done) => pipelining.inTurn(raw, reply.raw, done));
  recordPaths(server);
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(CORS_HEADERS).header(REQUEST_ID, request.id);
    if (request.method === 'OPTIONS') {
      void reply.headers(PREFLIGHT_HEADERS);
      // Routes for OPTIONS add headers of their own.
      if (request.is404) {
        void reply.code(204).send();
        return;
      }
    }
    dropTypeWithoutBody(request);
    done();
  });
  const finished = (request: FastifyRequest, reply: FastifyReply): void =>
    recordRequest(request, reply, logger, metrics);
  server.addHook('onResponse', (request, reply, done) => {
    finished(request, reply);
    done();
  });
  serveWebSockets(server, settings.signalling_message_bytes, finished);
  adapter.parseBody = installJsonParser(server);
  installStreams(server);
  const { request_timeout_ms } = settings;
  limitReceiving(server, request_timeout_ms, checkInterval(request_timeout_ms), ({ socket }) =>
    rejectMalformed(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
  );
  installPreferHeader(server);
  return adapter;
}

/**
 * Has the console's page answer an address that the router cannot decode: the page has a router of its own.
 * @returns false for other addresses, and without the console
 */
function routeToPage({ server, raw }: FastifyRequest, reply: FastifyReply): boolean {
  if (!PAGES.test(raw.url!) || !server.hasRoute({ method: 'GET', url: CONSOLE })) return false;
  raw.url = CONSOLE;
  server.routing(raw, reply.raw);
  return true;
}

/**
 * Timeouts for receiving the head of a request; `limitReceiving` has that for its body. By default, Node.js checks for
 * late requests every 30 s and allows 60 s for the head alone.
 */
function receiveTimeouts({ request_timeout_ms }: Settings): ServerOptions {
  return {
    headersTimeout: request_timeout_ms,
    requestTimeout: 0,
    connectionsCheckingInterval: checkInterval(request_timeout_ms),
  };
}

function checkInterval(timeout_ms: number): number {
  return Math.min(TIMEOUT_CHECK_INTERVAL_MS, timeout_ms / 4);
}

/**
 * Configures an application beside the adapter: compiled routes, the exception filter, and 200
 * instead of 201 as the default status of POST. Call it before `init`/`listen`.
 */
export function configureApp(
  app: INestApplication,
  logger: JsonLogger,
  metrics?: ErrorObserver,
): void {
  const adapter = app.getHttpAdapter();
  if (!(adapter instanceof DriveAdapter)) throw new Error('not an adapter of createFastifyAdapter');
  const routing: Routing = {
    instance: (type) => app.get<object>(type, { strict: false }),
    pipe: new ValidationPipe(),
    receive(request) {
      adapter.parseBody(request);
      markStrict(request);
    },
    send: (reply, body) => void adapter.reply(reply, body),
    fail: (error, request, reply) => sendError(error, request, reply, logger, metrics),
  };
  adapter.compileRoutes((handler) => {
    const route = Reflect.getMetadata(ROUTE, handler) as Route | undefined;
    if (!route) throw new Error(`${handler.name}: only handlers of controllers have routes`);
    return compileRoute(route, routing);
  });
  app.useGlobalFilters(new ErrorFilter(logger, metrics));
  prepareRoutes(app);
}

/** Metadata of a handler: its `Route`. Nest copies metadata to the functions that it registers. */
const ROUTE = 'drive:route';

/** Names the route in each handler's metadata, and sets the status of a POST to 200. */
function prepareRoutes(app: INestApplication): void {
  const scanner = new MetadataScanner();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      const prototype = metatype?.prototype as object | undefined;
      for (const name of scanner.getAllMethodNames(prototype ?? null)) {
        const handler = (prototype as Record<string, object>)[name]!;
        Reflect.defineMetadata(ROUTE, { controller: metatype, method: name }, handler);
        const is_post = Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.POST;
        if (is_post && Reflect.getMetadata(HTTP_CODE_METADATA, handler) === undefined) {
          Reflect.defineMetadata(HTTP_CODE_METADATA, 200, handler);
        }
      }
    }
  }
}

/** Removes the content type of a request without body: an unknown type would be refused. */
function dropTypeWithoutBody({ headers }: FastifyRequest): void {
  if (headers['content-type'] === undefined) return;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) {
    delete headers['content-type'];
  }
}

function recordRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  logger: JsonLogger,
  metrics: Observer | undefined,
): void {
  const { method } = request;
  const status = reply.statusCode;
  const duration_ms = reply.elapsedTime;
  metrics?.observeRequest(method, request.routeOptions.url ?? 'none', status, duration_ms);
  if (!logger.logsAccess(status)) return;
  const params = request.params as { organization_id?: string } | null;
  const drive_id = params?.organization_id;
  logger.access({
    request_id: request.id,
    method,
    path: loggedPath(request),
    status,
    duration_ms: Math.round(duration_ms * 1000) / 1000,
    ...(drive_id && { drive_id }),
  });
}

/** Responds to bytes that Node's parser cannot read as a request; there is no request id to repeat. */
function rejectMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const found = toApiError(error);
  const refusal = found.status === 500 ? ApiError.of('request.malformed-http') : found;
  const request_id = requestId({ headers: {} });
  const rendered = renderError(refusal, request_id, undefined);
  const head = [
    `HTTP/1.1 ${rendered.status} ${refusal.status === 408 ? 'Request Timeout' : 'Bad Request'}`,
    `Content-Type: ${rendered.content_type}`,
    `Content-Length: ${Buffer.byteLength(rendered.body)}`,
    `${REQUEST_ID_HEADER}: ${request_id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${rendered.body}`);
  // A client that keeps sending would otherwise hold its half of the connection open.
  setTimeout(() => socket.destroy(), ERROR_LINGER_MS).unref();
}
