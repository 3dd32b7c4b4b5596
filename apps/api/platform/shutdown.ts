import type { Server, ServerResponse } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { onStopSignals, type SignalSource } from '../../../libs/threads/stop-signals.js';
import { loggedPath, type JsonLogger } from './logs/logging.js';
import { upgradeOf } from './web-sockets.js';

/** The part of `process` that a shutdown uses; tests replace it. */
interface ShutdownOwner extends SignalSource {
  exit(code: number): void;
}

interface ShutdownOptions {
  /** Maximum wait for requests in flight, ms. */
  readonly timeout_ms: number;
  /** Maximum wait for Nest's close hooks afterwards, ms. */
  readonly close_timeout_ms: number;
  /** Names of the shutdown steps that have not finished. */
  readonly unfinished?: () => readonly string[];
}

/** Most aborted requests that are named in the log. */
const MOST_NAMED = 10;

export interface Shutdown {
  /** Aborts when the shutdown begins; endless responses (event streams) then end. */
  readonly signal: AbortSignal;
  /** Shuts down as on a signal, but does not exit; resolves to false if closing timed out. */
  readonly begin: () => Promise<boolean>;
}

/**
 * Installs an orderly shutdown on SIGTERM or SIGINT. The server accepts no more connections and closes idle
 * ones. Requests in flight may finish within `timeout_ms`; the rest are aborted. Nest's close hooks then run for
 * at most `close_timeout_ms`. The exit code is 0, or 1 if closing failed or timed out. The log names aborted
 * requests and unfinished steps. A later signal exits with 1 at once.
 *
 * Call it before `init`/`listen`, in place of Nest's `enableShutdownHooks`.
 */
export function installShutdown(
  app: INestApplication,
  { timeout_ms, close_timeout_ms, unfinished = () => [] }: ShutdownOptions,
  logger: JsonLogger,
  owner: ShutdownOwner = process,
): Shutdown {
  const controller = new AbortController();
  const server = app.getHttpServer() as Server;
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  const in_flight = new Map<ServerResponse, FastifyRequest>();
  function closed(this: ServerResponse): void {
    in_flight.delete(this);
    // Responses that began before the shutdown promised to keep their connections.
    if (controller.signal.aborted) setImmediate(() => server.closeIdleConnections());
  }
  fastify.addHook('onRequest', (request, reply, done) => {
    // The response of an upgrade never closes; the signalling service closes its WebSockets.
    if (!upgradeOf(request)) {
      in_flight.set(reply.raw, request);
      if (controller.signal.aborted) closeAfter(reply.raw);
    }
    done();
  });
  server.on('request', (_request, response) => response.on('close', closed));
  const abortRequests = (): void => {
    const named = [...in_flight.values()].slice(0, MOST_NAMED).map(describe);
    const more = in_flight.size > MOST_NAMED ? ` and ${in_flight.size - MOST_NAMED} more` : '';
    if (named.length > 0)
      logger.warn(
        `shutdown: aborting requests that did not finish within ${timeout_ms} ms: ${named.join(', ')}${more}`,
      );
    server.closeAllConnections();
  };
  const close = async (): Promise<boolean> => {
    const is_closed = await inTime(app.close(), close_timeout_ms);
    if (!is_closed)
      logger.warn(
        `shutdown: not closed within ${close_timeout_ms} ms: ${unfinished().join(', ') || 'the HTTP server'}`,
      );
    return is_closed;
  };
  let ended: Promise<boolean> | undefined;
  const begin = (): Promise<boolean> => {
    ended ??= (async () => {
      controller.abort();
      for (const response of in_flight.keys()) closeAfter(response);
      await drain(server, timeout_ms, abortRequests);
      return close();
    })();
    return ended;
  };
  const stop = (signal: string): void => {
    logger.log(`${signal}: shutting down`);
    begin().then(
      (is_closed) => owner.exit(is_closed ? 0 : 1),
      (error: unknown) => {
        logger.failure({ signal }, error);
        owner.exit(1);
      },
    );
  };
  onStopSignals(stop, () => owner.exit(1), owner);
  return { signal: controller.signal, begin };
}

/** Has a response end its connection: a reused connection would keep the server open. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

function describe(request: FastifyRequest): string {
  return `${request.method} ${loggedPath(request)} (${request.id})`;
}

/** True if the promise resolves in time; a later result is ignored. */
async function inTime(ending: Promise<void>, timeout_ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeout_ms);
  });
  try {
    return await Promise.race([ending.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when every connection has ended, or after `timeout_ms`, when the remaining ones are aborted. */
async function drain(server: Server, timeout_ms: number, abortRequests: () => void): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      abortRequests();
      resolve();
    }, timeout_ms);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
