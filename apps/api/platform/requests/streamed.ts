import { RouteConfig } from '@nestjs/platform-fastify';
import type {
  FastifyInstance,
  FastifyRequest,
  onRequestHookHandler,
  onResponseHookHandler,
  onSendHookHandler,
} from 'fastify';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { ApiError } from '../errors.js';
import { UnreadableBody } from './validation.js';

/** Content type given to streamed bodies, so that one parser receives them all. */
const STREAMED_TYPE = 'application/vnd.streamed-body';
/** Time for a client to read the response to a body that was not read to its end. */
const LINGER_MS = 1_000;

interface StreamedRequest extends FastifyRequest {
  sent_type?: string | undefined;
}

/** Marks a route whose handler reads the body itself, as a stream of any content type and length. */
export const StreamedBody = (): MethodDecorator => RouteConfig({ streams_body: true });

/** True for a request whose handler reads the body. */
export function isStreamed({ routeOptions }: FastifyRequest): boolean {
  return streamsBody(routeOptions.config);
}

function streamsBody(config: object | undefined): boolean {
  return (config as { streams_body?: boolean } | undefined)?.streams_body === true;
}

export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Takes the body from a streamed request, with the content type that the client sent. */
export function takeStream(request: FastifyRequest): {
  body: Readable | null;
  type: string | undefined;
} {
  const body = (request.body as Readable | null | undefined) ?? null;
  // What identifies the request under an idempotency key is known later.
  (request as { body: unknown }).body = {};
  return { body, type: (request as StreamedRequest).sent_type };
}

/** Passes the bodies of marked routes on as streams. Only these routes have the hooks. Call it before any route is registered. */
export function installStreams(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (!streamsBody(route.config)) return;
    route.onRequest = [...[route.onRequest ?? []].flat(), nameType];
    route.onSend = [...[route.onSend ?? []].flat(), closeUnread];
    route.onResponse = [...[route.onResponse ?? []].flat(), endUnread];
  });
  server.addContentTypeParser(STREAMED_TYPE, (request, payload, done) => {
    if (isStreamed(request)) done(null, payload);
    else done(null, new UnreadableBody(ApiError.of('request.media-type')));
  });
}

/** Gives a streamed body the content type of its parser. */
const nameType: onRequestHookHandler = (request: StreamedRequest, _, done) => {
  const { headers } = request;
  request.sent_type = headers['content-type'];
  if (hasBody(request)) headers['content-type'] = STREAMED_TYPE;
  done();
};

/** The rest of the body is not awaited: it may be long, or never come. */
const closeUnread: onSendHookHandler = (request, reply, payload, done) => {
  if (!request.raw.complete) {
    void reply.header('connection', 'close');
    lingerAtEnd(reply.raw.socket);
  }
  done(null, payload);
};

/**
 * Makes the end of a connection wait for the client. Closed with bytes unread it would be reset, and a client that is
 * still sending would lose the response (RFC 9112, 9.6).
 */
function lingerAtEnd(socket: Socket | null): void {
  // Null once the connection has ended.
  if (!socket) return;
  socket.destroySoon = (): void => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

const endUnread: onResponseHookHandler = ({ raw }, _, done) => {
  if (!raw.complete) raw.resume();
  done();
};
