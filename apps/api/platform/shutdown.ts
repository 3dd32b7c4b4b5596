import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { loggedPath, type JsonLogger } from './logs/logging.js';
import { upgradeOf } from './web-sockets.js';

/** What a shutdown needs of the process; another one in tests. */
export interface SignalSource {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: string) => void): unknown;
  exit(code: number): void;
}

export interface ShutdownOptions {
  /** Longest wait for requests in flight, ms. */
  readonly timeout_ms: number;
  /** Longest wait after it for Nest's close hooks, ms. */
  readonly close_timeout_ms: number;
  /** Names of what the close hooks have not ended yet. */
  readonly unfinished?: () => readonly string[];
}

/** Most requests that are named when they are broken off. */
const MOST_NAMED = 10;

/** Handle of the installed shutdown. */
export interface Shutdown {
  /** Aborts when the shutdown begins. Answers without an end (event streams) end at it. */
  readonly signal: AbortSignal;
  /** Shuts down as a signal would, without ending the process; false if not all was closed in time. */
  readonly begin: () => Promise<boolean>;
}

/**
 * Ends the process in order at SIGTERM or SIGINT: accepts no more connections, closes idle ones,
 * lets requests in flight finish within `timeout_ms`, breaks off the rest, runs Nest's close hooks
 * for at most `close_timeout_ms` and exits with 0 (1 if closing failed, or took longer). What is cut short
 * is named in the log. A second signal exits with 1 at once.
 *
 * To be called before `init`/`listen`, in place of Nest's `enableShutdownHooks`.
 */
export function installShutdown(
  app: INestApplication,
  { timeout_ms, close_timeout_ms, unfinished = () => [] }: ShutdownOptions,
  logger: JsonLogger,
  owner: SignalSource = process,
): Shutdown {
  const controller = new AbortController();
  const server = app.getHttpServer() as Server;
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  const in_flight = new Set<FastifyRequest>();
  fastify.addHook('onRequest', (request, reply, done) => {
    // The response of an upgrade never closes; WebSockets are ended by those who opened them.
    if (!upgradeOf(request)) {
      in_flight.add(request);
      reply.raw.once('close', () => in_flight.delete(request));
    }
    done();
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    // A client that would reuse its connection keeps the server open.
    if (controller.signal.aborted) reply.header('Connection', 'close');
    done();
  });
  server.on('request', (_request, response) => {
    // Answers begun before the shutdown still promised to keep their connection.
    response.once('close', () => {
      if (controller.signal.aborted) setImmediate(() => server.closeIdleConnections());
    });
  });
  const breakOff = (): void => {
    const named = [...in_flight].slice(0, MOST_NAMED).map(described);
    const more = in_flight.size > MOST_NAMED ? ` and ${in_flight.size - MOST_NAMED} more` : '';
    if (named.length > 0)
      logger.warn(
        `shutdown: requests not answered within ${timeout_ms} ms are broken off: ${named.join(', ')}${more}`,
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
      await drain(server, timeout_ms, breakOff);
      return close();
    })();
    return ended;
  };
  const onSignal = (signal: string): void => {
    if (controller.signal.aborted) {
      owner.exit(1);
      return;
    }
    logger.log(`${signal}: shutting down`);
    begin().then(
      (is_closed) => owner.exit(is_closed ? 0 : 1),
      (error: unknown) => {
        logger.failure({ signal }, error);
        owner.exit(1);
      },
    );
  };
  owner.on('SIGTERM', onSignal);
  owner.on('SIGINT', onSignal);
  return { signal: controller.signal, begin };
}

function described(request: FastifyRequest): string {
  return `${request.method} ${loggedPath(request)} (${request.id})`;
}

/** Whether something ends in time; how it ends later is nobody's concern. */
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

/** Resolves once every connection has ended; those left after `timeout_ms` are broken off, and waited for no more. */
async function drain(server: Server, timeout_ms: number, breakOff: () => void): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      breakOff();
      resolve();
    }, timeout_ms);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
