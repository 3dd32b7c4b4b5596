import { types } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { logOutput } from './log-output.js';
import type { LogLevel } from '../settings/settings.js';
import type { FastifyRequest } from 'fastify';

/** One finished request, without secrets of the caller. */
interface AccessLine {
  readonly request_id: string;
  readonly method: string;
  /** The path without its query string, which may contain a token. */
  readonly path: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly drive_id?: string;
}

/** Contexts of Nest's startup messages, which list every route. */
const STARTUP_CONTEXTS: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/**
 * Logs JSON lines on standard output, including Nest's own messages.
 *
 * Failed requests (status ≥ 400) are logged at `info`, others at `debug`, so that at the default level
 * successful requests cost nothing.
 */
export class JsonLogger implements LoggerService {
  readonly pino: Logger;
  private readonly logs_success: boolean;

  /** @param destination receives the lines; default: standard output */
  constructor(level: LogLevel, destination?: DestinationStream) {
    const options = {
      level,
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    this.pino = pino(options, destination ?? logOutput(process.stdout.fd));
    this.logs_success = this.pino.isLevelEnabled('debug');
  }

  /** True if `access` writes a line for this status. */
  logsAccess(status: number): boolean {
    return status >= 400 || this.logs_success;
  }

  access(line: AccessLine): void {
    if (line.status >= 400) this.pino.info(line, 'request');
    else this.pino.debug(line, 'request');
  }

  /** Logs an unexpected error with its stack. @param circumstances such as request id, method and path */
  failure(circumstances: Readonly<Record<string, unknown>>, thrown: unknown): void {
    const err = types.isNativeError(thrown) ? thrown : new Error(String(thrown));
    this.pino.error({ ...circumstances, err }, 'unexpected error');
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write(STARTUP_CONTEXTS.has(rest.at(-1)) ? 'debug' : 'info', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest passes the context last and, for errors, the stack before it. */
  private write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const texts = rest.filter((part) => typeof part === 'string');
    const context = texts.at(-1);
    const stack = texts.length > 1 ? texts[0] : undefined;
    const fields = { ...(context && { context }), ...(stack && { stack }) };
    if (types.isNativeError(message))
      this.pino[level]({ ...fields, err: message }, message.message);
    else if (typeof message === 'string') this.pino[level](fields, message);
    else this.pino[level]({ ...fields, data: message }, 'message');
  }
}

/**
 * The path of a request for the log: without the query string, which may contain a token. If the path contains the
 * id of a gift card, which suffices to redeem the card, the pattern of the route is returned instead.
 */
export function loggedPath({ url, params, routeOptions }: FastifyRequest): string {
  const { giftcard_id } = (params ?? {}) as { giftcard_id?: string };
  return (giftcard_id && routeOptions.url) || url.split('?', 1)[0]!;
}
