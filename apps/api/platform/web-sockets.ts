import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { ApiError } from './errors.js';

/** How long a closing WebSocket waits for the other end to say so too. */
const CLOSE_TIMEOUT_MS = 2_000;

const CLOSE_INTERNAL_ERROR = 1011;
const CLOSE_POLICY_VIOLATION = 1008;
const CLOSE_TRY_AGAIN_LATER = 1013;

/** A request to become a WebSocket, on its way through guards and handler like any other. */
export class Upgrade {
  constructor(
    private readonly server: WebSocketServer,
    private readonly socket: Duplex,
    private readonly head: Buffer,
    private readonly done: (request: FastifyRequest, reply: FastifyReply) => void,
  ) {}

  /** Becomes a WebSocket; `taken` must set its listeners at once, or it misses what comes first. */
  accept(request: FastifyRequest, reply: FastifyReply, taken: (socket: WebSocket) => void): void {
    this.take(request, reply, 101, taken);
  }

  /**
   * Tells the caller why not. Browsers show a page no status and no body of a refused upgrade, but the
   * code and reason of a close: so the socket is opened to be closed, with the error's slug as reason.
   */
  refuse(request: FastifyRequest, reply: FastifyReply, { status, type }: ApiError): void {
    this.take(request, reply, status, (socket) => {
      socket.on('error', () => {});
      socket.close(closeCode(status), type);
    });
  }

  private take(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    taken: (socket: WebSocket) => void,
  ): void {
    reply.hijack();
    reply.raw.detachSocket(this.socket as never);
    this.done(request, reply.code(status));
    this.server.handleUpgrade(request.raw, this.socket, this.head, taken);
  }
}

function closeCode(status: number): number {
  if (status === 429 || status === 503) return CLOSE_TRY_AGAIN_LATER;
  return status >= 500 ? CLOSE_INTERNAL_ERROR : CLOSE_POLICY_VIOLATION;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** The upgrade that a request asks for; undefined for a plain request. */
export function upgradeOf({ raw }: FastifyRequest): Upgrade | undefined {
  return upgrades.get(raw);
}

/**
 * Whether a request is for a WebSocket here. Any other wish to upgrade (HTTP/2 in clear, say) is
 * passed over, and the request answered as it is.
 */
export function wantsWebSocket({ method, url, headers }: IncomingMessage, paths: RegExp): boolean {
  const path = url?.split('?', 1)[0] ?? '';
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && paths.test(path);
}

/**
 * Sends requests for WebSockets through the routes of the server: request ids, guards, errors and log are
 * those of every other request. A handler takes its `upgradeOf(request)`. @fastify/websocket does the same, but accepts
 * the socket before Nest's guards run, so a refusal would have no status in the log and no reason for the client.
 *
 * @param message_bytes the largest message; beyond it a socket is closed with 1009
 * @param done called once for each, with the status it came to
 */
export function serveWebSockets(
  server: FastifyInstance,
  message_bytes: number,
  done: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  // Its types do not know the time-out yet.
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: message_bytes,
    closeTimeout: CLOSE_TIMEOUT_MS,
  };
  const sockets = new WebSocketServer(options);
  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    upgrades.set(request, new Upgrade(sockets, socket, head, done));
    const response = new ServerResponse(request);
    response.assignSocket(socket as never);
    server.routing(request, response);
  });
}
