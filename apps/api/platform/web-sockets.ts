import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { ApiError } from './errors.js';

/** Maximum wait for the peer's close frame. */
const CLOSE_TIMEOUT_MS = 2_000;

const CLOSE_INTERNAL_ERROR = 1011;
const CLOSE_POLICY_VIOLATION = 1008;
const CLOSE_TRY_AGAIN_LATER = 1013;

/** A request for a WebSocket; it passes guards and handler like any other request. */
export class Upgrade {
  constructor(
    private readonly server: WebSocketServer,
    private readonly socket: Duplex,
    private readonly head: Buffer,
    private readonly done: (request: FastifyRequest, reply: FastifyReply) => void,
  ) {}

  /** Opens the WebSocket. `onOpen` must set its listeners synchronously, or it misses the first messages. */
  accept(request: FastifyRequest, reply: FastifyReply, onOpen: (socket: WebSocket) => void): void {
    this.open(request, reply, 101, onOpen);
  }

  /**
   * Refuses the WebSocket with an error. Browsers hide status and body of a refused upgrade from scripts, but
   * not the code and reason of a close. So the socket is opened and closed with the error's slug as reason.
   */
  refuse(request: FastifyRequest, reply: FastifyReply, { status, type }: ApiError): void {
    this.open(request, reply, status, (socket) => {
      socket.on('error', () => {});
      socket.close(closeCode(status), type);
    });
  }

  private open(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    onOpen: (socket: WebSocket) => void,
  ): void {
    reply.hijack();
    reply.raw.detachSocket(this.socket as never);
    this.done(request, reply.code(status));
    this.server.handleUpgrade(request.raw, this.socket, this.head, onOpen);
  }
}

function closeCode(status: number): number {
  if (status === 429 || status === 503) return CLOSE_TRY_AGAIN_LATER;
  return status >= 500 ? CLOSE_INTERNAL_ERROR : CLOSE_POLICY_VIOLATION;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** The upgrade that a request asks for; undefined for any other request. */
export function upgradeOf({ raw }: FastifyRequest): Upgrade | undefined {
  return upgrades.get(raw);
}

/**
 * True for a request for a WebSocket on one of the paths. Other upgrades (such as HTTP/2 without TLS) are
 * ignored, and the request is handled without an upgrade.
 */
export function wantsWebSocket({ method, url, headers }: IncomingMessage, paths: RegExp): boolean {
  const path = url?.split('?', 1)[0] ?? '';
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && paths.test(path);
}

/**
 * Routes requests for WebSockets like all other requests, with request ids, guards, errors and access log. A
 * handler calls `upgradeOf(request)`. @fastify/websocket would accept the socket before Nest's guards run, so a
 * refusal would have no status in the log and no reason for the client.
 *
 * @param message_bytes the largest message; a larger one closes the socket with 1009
 * @param done called once for each request, with its final status
 */
export function serveWebSockets(
  server: FastifyInstance,
  message_bytes: number,
  done: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  // The type declarations of ws lack `closeTimeout`.
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
    try {
      response.assignSocket(socket as never);
    } catch {
      // An earlier request of the connection is not answered yet.
      socket.destroy();
      return;
    }
    server.routing(request, response);
  });
}
