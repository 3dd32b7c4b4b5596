import { isUtf8 } from 'node:buffer';
import type { ServerOptions, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { RequestMethod, type INestApplication } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerError, ErrorFilter } from './error-filter.js';
import { ApiError, renderError, toApiError } from './errors.js';
import { rememberPaths } from './known-paths.js';
import { loggedPath, type JsonLogger } from './logs/logging.js';
import type { Metrics } from './metrics.js';
import type { Settings } from './settings/settings.js';
import { heedPreference } from './requests/strictness.js';
import { UnreadableBody, ValidationPipe } from './requests/validation.js';
import { serveWebSockets, wantsWebSocket } from './web-sockets.js';
import { randomUUID } from 'node:crypto';

export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/;

/** The caller's X-Request-Id if it is 1–128 visible ASCII characters, else a fresh UUID. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
}

const CORS_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

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
  REQUEST_ID_HEADER,
];

const CORS_EXPOSED_HEADERS = [
  'Drive-Revision',
  'ETag',
  'Idempotent-Replayed',
  'Preference-Applied',
  REQUEST_ID_HEADER,
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'WWW-Authenticate',
  'Allow',
];

/** As Fastify sends it: of a name in lower case it makes no other text, so all that every answer has are written so. */
const REQUEST_ID = REQUEST_ID_HEADER.toLowerCase();

/**
 * CORS, the same for every caller: any origin, no credentials. Constants in the one hook, since
 * @fastify/cors works its options out anew for every request.
 */
const EVERY_ANSWER = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': CORS_EXPOSED_HEADERS.join(', '),
};

/** Answers every OPTIONS, whatever the route. Kept for a day; browsers cap it as they see fit. */
const PREFLIGHT = {
  'access-control-allow-methods': CORS_METHODS.join(', '),
  'access-control-allow-headers': CORS_REQUEST_HEADERS.join(', '),
  'access-control-max-age': '86400',
};

/** How often the server looks for requests that take too long to be sent. */
const LOOKS_EVERY_MS = 1_000;
/** How long a client that was refused may take to read why. */
const LAST_WORDS_MS = 1_000;

/** Every path that takes WebSockets. */
const WEB_SOCKETS = /^\/v1\/drive\/[^/]+\/organization\/webrtc\/?$/;

/** Ids have up to 160 characters, label values come percent-encoded; beyond it 400. */
const MAX_PARAM_LENGTH = 2_048;

/** Fastify as this service wants it: own body parsing, and errors left as they are thrown. */
class DriveAdapter extends FastifyAdapter {
  /** Nest's parsers would answer before the route's guards had their say. */
  override registerParserMiddleware(): void {}

  /** Text and bytes are sent unchanged: their creator has set their type. */
  override reply(
    ...[response, body, status]: Parameters<FastifyAdapter['reply']>
  ): ReturnType<FastifyAdapter['reply']> {
    const is_ready = typeof body === 'string' || Buffer.isBuffer(body);
    if (!is_ready || !('send' in response)) return super.reply(response, body, status);
    if (status !== undefined) void response.code(status);
    return response.send(body);
  }

  /** The exception filter tells errors apart by their codes, which Nest would wrap away. */
  override mapException(error: unknown): unknown {
    return error;
  }
}

/** Where figures of requests go; `Metrics` or nothing. */
type Observer = Pick<Metrics, 'observeRequest'>;

/**
 * The HTTP server: request ids, CORS, body parsing, access log and request figures. Everything that
 * fails before a handler is answered with the error envelope too.
 */
export function createFastifyAdapter(
  settings: Settings,
  logger: JsonLogger,
  metrics?: Observer,
): FastifyAdapter {
  const adapter = new DriveAdapter({
    logger: false,
    // There is no middleware; its runner would still look at every request.
    skipMiddie: true,
    bodyLimit: settings.body_limit_bytes,
    requestTimeout: settings.request_timeout_ms,
    trustProxy: settings.trusted_proxies.length > 0 ? [...settings.trusted_proxies] : false,
    requestIdHeader: false,
    genReqId: requestId,
    // Requests that reach a closing server are still answered; see `drain`.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      // The router gave up before any hook could run.
      void reply.headers(EVERY_ANSWER).header(REQUEST_ID, request.id);
      answerError(error, request, reply, logger);
    },
    clientErrorHandler: refuseMalformed,
    http: {
      shouldUpgradeCallback: (request) => wantsWebSocket(request, WEB_SOCKETS),
      ...sendingLimits(settings),
    },
  });
  const server = adapter.getInstance<FastifyInstance>();
  rememberPaths(server);
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(EVERY_ANSWER).header(REQUEST_ID, request.id);
    if (request.method === 'OPTIONS') {
      void reply.code(204).headers(PREFLIGHT).send();
      return;
    }
    dropTypeOfNothing(request);
    done();
  });
  const finished = (request: FastifyRequest, reply: FastifyReply): void =>
    finish(request, reply, logger, metrics);
  server.addHook('onResponse', (request, reply, done) => {
    finished(request, reply);
    done();
  });
  serveWebSockets(server, settings.signalling_message_bytes, finished);
  parseJson(server);
  heedPreference(server);
  return adapter;
}

/**
 * How long a client may take to send its request, head and body. Node looks for those that are late at an
 * interval, by default of 30 s, and gives the head alone 60 s.
 */
function sendingLimits({ request_timeout_ms }: Settings): ServerOptions {
  return {
    headersTimeout: request_timeout_ms,
    requestTimeout: request_timeout_ms,
    connectionsCheckingInterval: Math.min(LOOKS_EVERY_MS, request_timeout_ms / 4),
  };
}

/**
 * Everything global that an application needs beside the adapter: the validation pipe, the exception
 * filter, and 200 instead of 201 as the default status of POST. To be called before `init`/`listen`.
 */
export function configureApp(app: INestApplication, logger: JsonLogger): void {
  app.useGlobalPipes(new ValidationPipe());
  app.useGlobalFilters(new ErrorFilter(logger));
  answer200(app);
}

/** Nest reads the status from the handler's metadata when routes are registered: no cost per call. */
function answer200(app: INestApplication): void {
  const scanner = new MetadataScanner();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      const prototype = metatype?.prototype as object | undefined;
      for (const name of scanner.getAllMethodNames(prototype ?? null)) {
        const handler = (prototype as Record<string, object>)[name]!;
        const is_post = Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.POST;
        if (is_post && Reflect.getMetadata(HTTP_CODE_METADATA, handler) === undefined) {
          Reflect.defineMetadata(HTTP_CODE_METADATA, 200, handler);
        }
      }
    }
  }
}

/** Without a body its type says nothing, and an unknown one would be refused. */
function dropTypeOfNothing({ headers }: FastifyRequest): void {
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) {
    delete headers['content-type'];
  }
}

/**
 * Bodies are JSON, also when no type is given. Whatever cannot be read becomes an `UnreadableBody`,
 * which the validation pipe throws after the guards; only the size is refused at once.
 */
function parseJson(server: FastifyInstance): void {
  const parseSecurely = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  // By its name as well: Fastify remembers a type's parser, but not that there is only the one for all.
  const types = ['application/json', '*'];
  server.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, (request, body, done) => {
    const type = request.headers['content-type'];
    if (body.length === 0) done(null, undefined);
    else if (type !== undefined && !isJson(type)) done(null, unreadable('request.media-type'));
    else if (!isUtf8(body)) done(null, unreadable('request.malformed-json'));
    else {
      void parseSecurely(request, body.toString(), (error, parsed) => {
        done(null, error ? unreadable('request.malformed-json') : parsed);
      });
    }
  });
}

function unreadable(type: 'request.malformed-json' | 'request.media-type'): UnreadableBody {
  return new UnreadableBody(ApiError.of(type));
}

function isJson(content_type: string): boolean {
  if (content_type === 'application/json') return true;
  const [type = ''] = content_type.toLowerCase().split(';', 1);
  return /^\s*application\/(?:json|[\w.-]+\+json)\s*$/.test(type);
}

function finish(
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

/** What Node's parser could not make a request of; there is no request id to echo. */
function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const found = toApiError(error);
  const refusal = found.status === 500 ? ApiError.of('request.malformed-http') : found;
  const request_id = requestId({ headers: {} });
  const answer = renderError(refusal, request_id, undefined);
  const head = [
    `HTTP/1.1 ${answer.status} ${refusal.status === 408 ? 'Request Timeout' : 'Bad Request'}`,
    `Content-Type: ${answer.content_type}`,
    `Content-Length: ${Buffer.byteLength(answer.body)}`,
    `${REQUEST_ID_HEADER}: ${request_id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${answer.body}`);
  // A client that sends on would else hold its half of the connection for ever.
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
}
