import { connect } from 'node:net';
import {
  Body,
  Controller,
  ForbiddenException,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.js';
import { Flag, Id, Text, Timestamp } from '../requests/fields.js';
import { JsonLogger } from '../logs/logging.js';
import { Metrics } from '../metrics.js';
import { RateGate } from '../rate-limit.js';
import { configureApp, createFastifyAdapter } from '../server.js';
import { loadSettings } from '../settings/settings.js';
import { IdPipe } from '../requests/validation.js';
import { Registered } from '../controllers.js';

class GroupBody {
  @Text({ min: 1, max: 256, required: true }) name!: string;
  @Text({ max: 64, null: 'clears' }) avatar?: string | null;
  @Timestamp({ expiry: true }) expires_at?: number;
}

class AsOfQuery {
  @Id('UserID_') as_user?: string;
  @Flag() never?: boolean;
}

class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (headers.authorization === undefined) throw ApiError.of('token.missing');
    return headers.authorization === 'Bearer good';
  }
}

const settings = loadSettings({
  PORT: '0',
  LOG_LEVEL: 'debug',
  RATE_LIMIT_CLIENT: '3',
  BODY_LIMIT_BYTES: '2048',
  TRUSTED_PROXIES: '127.0.0.1',
});
const gate = RateGate.of(settings);

@Registered
@Controller()
class Throwaway {
  @Post('v1/drive/:organization_id/groups')
  create(@Body() body: GroupBody) {
    return { ok: { data: { ...body, has_avatar: 'avatar' in body && body.avatar !== undefined } } };
  }

  @Post('raw')
  raw(@Body() body: Record<string, unknown>) {
    return { ok: { data: body } };
  }

  @Post('stub')
  @HttpCode(501)
  stub() {
    throw new ApiError(501, 'upload.unsupported', 'Uploads are not served.', {
      members: { index: 2 },
      headers: { 'X-Extra': 'yes' },
    });
  }

  @Get('get/:group_id')
  read(@Param('group_id', new IdPipe('GroupID_')) id: string, @Query() query: AsOfQuery) {
    return { ok: { data: { id, ...query } } };
  }

  @Get('throws/:what')
  fail(@Param('what') what: string, @Res({ passthrough: true }) reply: FastifyReply) {
    reply.header('ETag', '"1.x"');
    if (what === 'forbidden') throw new ForbiddenException('secret reason');
    if (what === 'nothing') throw undefined;
    throw new TypeError('SELECT password FROM users');
  }

  @Post('guarded')
  @UseGuards(TokenGuard)
  guarded(@Body() body: GroupBody) {
    return { ok: { data: body.name } };
  }

  @Get('limited')
  async limited(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const checks = [{ policy: 'client', key: request.ip, limit: settings.rate_limit_client }];
    const { headers, error } = await gate.pass(checks);
    reply.headers(headers);
    if (error) throw error;
    return { ok: { data: request.ip } };
  }

  @Get('id')
  id(@Headers('x-request-id') id: string) {
    return { ok: { data: id ?? null } };
  }
}

/** The parts of a response that these specs check. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export const GROUPS = '/v1/drive/DriveID_abc/groups';

/** Serves the throwaway controller while the specs of a file run. */
export function throwawayApp() {
  let app: NestFastifyApplication;
  let base: string;
  /** Logged lines. */
  const lines: string[] = [];
  const metrics = new Metrics(false);

  beforeAll(async () => {
    const logger = new JsonLogger(settings.log_level, { write: (line) => lines.push(line) });
    const module = await Test.createTestingModule({ controllers: [Throwaway] }).compile();
    app = module.createNestApplication<NestFastifyApplication>(
      createFastifyAdapter(settings, logger, metrics),
      { logger },
    );
    configureApp(app, logger, metrics);
    await app.listen(settings.port, settings.host);
    base = await app.getUrl();
  });
  afterAll(() => app.close());

  async function call(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(base + path, init);
    const text = await response.text();
    expect(text).not.toMatch(/ {4}at |node_modules|SELECT|secret reason/);
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  }

  const post = (
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) =>
    call(path, {
      method: 'POST',
      ...(body !== undefined && { body }),
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    });

  const group = (body: unknown) => post(GROUPS, JSON.stringify(body));

  /** Sends bytes that no HTTP client would send; returns the raw response. */
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(bytes));
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });

  return { call, post, group, raw, lines, metrics };
}
