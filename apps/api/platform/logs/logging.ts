import { types } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { logOutput } from './log-output.js';
import type { LogLevel } from '../settings/settings.js';
import type { FastifyRequest } from 'fastify';

/** One finished request, without anything a caller may have meant to keep secret. */
export interface AccessLine {
  readonly request_id: string;
  readonly method: string;
  /** The path without its query string: tokens may travel there. */
  readonly path: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly drive_id?: string;
}

/** Nest's accounts of its own start, route by route. */
const START_UP: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/**
 * JSON lines on standard output, also for Nest's own messages.
 *
 * Requests are logged at `info` when they failed (status ≥ 400), else at `debug`, so that the
 * default level costs successful requests nothing.
 */
export class JsonLogger implements LoggerService {
  readonly pino: Logger;
  private readonly logs_success: boolean;

  /** @param destination where lines go, standard output if left out */
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

  /** Whether `access` would write a line for this status. */
  logsAccess(status: number): boolean {
    return status >= 400 || this.logs_success;
  }

  access(line: AccessLine): void {
    if (line.status >= 400) this.pino.info(line, 'request');
    else this.pino.debug(line, 'request');
  }

  /** An unexpected error, with its stack and what ties it to a request. */
  failure(circumstances: Readonly<Record<string, unknown>>, thrown: unknown): void {
    const err = types.isNativeError(thrown) ? thrown : new Error(String(thrown));
    this.pino.error({ ...circumstances, err }, 'unexpected error');
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write(START_UP.has(rest.at(-1)) ? 'debug' : 'info', message, rest);
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
 * The path of a request as it may be logged: without its query string, where tokens travel, and as
 * the pattern of its route if it holds the id of a gift card, which suffices to redeem the card.
 */
export function loggedPath({ url, params, routeOptions }: FastifyRequest): string {
  const { giftcard_id } = (params ?? {}) as { giftcard_id?: string };
  return (giftcard_id && routeOptions.url) || url.split('?', 1)[0]!;
}
