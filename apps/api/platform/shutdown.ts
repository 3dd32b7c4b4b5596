import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { JsonLogger } from './logging.js';

/** What a shutdown needs of the process; another one in tests. */
export interface SignalSource {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: string) => void): unknown;
  exit(code: number): void;
}

/** Handle of the installed shutdown. */
export interface Shutdown {
  /** Aborts when the shutdown begins. Answers without an end (event streams) end at it. */
  readonly signal: AbortSignal;
  /** Shuts down as a signal would, without ending the process. */
  readonly begin: () => Promise<void>;
}

/**
 * Ends the process in order at SIGTERM or SIGINT: accepts no more connections, closes idle ones,
 * lets requests in flight finish within `timeout_ms`, breaks off the rest, runs Nest's close hooks
 * and exits with 0 (1 if closing failed). A second signal exits with 1 at once.
 *
 * To be called before `init`/`listen`, in place of Nest's `enableShutdownHooks`.
 */
export function installShutdown(
  app: INestApplication,
  timeout_ms: number,
  logger: JsonLogger,
  owner: SignalSource = process,
): Shutdown {
  const controller = new AbortController();
  const server = app.getHttpServer() as Server;
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
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
  let ended: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    ended ??= (async () => {
      controller.abort();
      await drain(server, timeout_ms);
      await app.close();
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
      () => owner.exit(0),
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

/** Resolves once every connection has ended; those left after `timeout_ms` are broken off. */
async function drain(server: Server, timeout_ms: number): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), timeout_ms);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
