import { EventEmitter, once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { Controller, Get, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { JsonLogger } from './logs/logging.js';
import { configureApp, createFastifyAdapter } from './server.js';
import { loadSettings } from './settings/settings.js';
import { installShutdown } from './shutdown.js';
import { Registered } from './controllers.js';

function deferred<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A request that ends when the test says so. */
const slow = { entered: deferred<void>(), leave: deferred<void>() };
const order: string[] = [];

@Registered
@Controller()
class Slow {
  @Get('slow')
  async slow() {
    slow.entered.resolve();
    await slow.leave.promise;
    order.push('answered');
    return { ok: true };
  }

  @Get('quick')
  quick() {
    return { ok: true };
  }
}

/** A store that closes when the test says so. */
const closing = { leave: Promise.resolve() };

@Injectable()
class Store implements OnApplicationShutdown {
  async onApplicationShutdown() {
    await closing.leave;
    order.push('closed');
  }
}

class FakeProcess extends EventEmitter {
  private readonly ending = deferred<number>();
  readonly exited = this.ending.promise;
  readonly exit = this.ending.resolve;
}

const NAMED = 'commands of DriveID_a';

async function boot(timeout_ms: number, close_timeout_ms = 60_000) {
  closing.leave = Promise.resolve();
  slow.entered = deferred();
  slow.leave = deferred();
  order.length = 0;
  const lines: string[] = [];
  const logger = new JsonLogger('info', { write: (line) => lines.push(line) });
  const module = await Test.createTestingModule({
    controllers: [Slow],
    providers: [Store],
  }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(
    createFastifyAdapter(loadSettings({}), logger),
    { logger },
  );
  configureApp(app, logger);
  const owner = new FakeProcess();
  const bounds = { timeout_ms, close_timeout_ms, unfinished: () => [NAMED] };
  const shutdown = installShutdown(app, bounds, logger, owner);
  await app.listen(0, '127.0.0.1');
  return { base: await app.getUrl(), owner, shutdown, lines };
}

/** The answer, or the code of the error that took its place. */
const ask = (url: string, agent: Agent): Promise<IncomingMessage | string> =>
  new Promise((resolve) => {
    get(url, { agent }, (response) => {
      response.resume().once('end', () => resolve(response));
    }).once('error', (error: Error & { code: string }) => resolve(error.code));
  });

describe('shutdown', () => {
  const agent = new Agent({ keepAlive: true });
  afterEach(() => agent.destroy());

  it('finishes requests in flight, accepts no new ones, closes stores and exits with 0', async () => {
    const { base, owner, shutdown } = await boot(60_000);
    // An idle kept connection must not hold the process.
    await ask(`${base}/quick`, agent);
    const answer = ask(`${base}/slow`, new Agent({ keepAlive: true }));
    await slow.entered.promise;
    const aborted = once(shutdown.signal, 'abort');
    owner.emit('SIGTERM', 'SIGTERM');
    await aborted;
    expect(await ask(`${base}/quick`, new Agent())).toBe('ECONNREFUSED');
    expect(order).toEqual([]);
    slow.leave.resolve();
    expect(await answer).toMatchObject({ statusCode: 200, headers: { connection: 'close' } });
    expect(await owner.exited).toBe(0);
    expect(order).toEqual(['answered', 'closed']);
  });

  it('aborts requests that exceed the wait, and still closes stores', async () => {
    const { base, owner, lines } = await boot(0);
    const answer = ask(`${base}/slow?token=secret`, agent);
    await slow.entered.promise;
    owner.emit('SIGINT', 'SIGINT');
    expect(await answer).toBe('ECONNRESET');
    expect(await owner.exited).toBe(0);
    expect(order).toEqual(['closed']);
    slow.leave.resolve();
    expect(lines.join('')).toMatch(
      /aborting requests that did not finish within 0 ms: GET \/slow \(/,
    );
    expect(lines.join('')).not.toContain('secret');
  });

  it('stops waiting for steps that do not close, and names them', async () => {
    const { owner, shutdown, lines } = await boot(0, 0);
    const { promise, resolve } = deferred<void>();
    closing.leave = promise;
    owner.emit('SIGTERM', 'SIGTERM');
    expect(await owner.exited).toBe(1);
    expect(await shutdown.begin()).toBe(false);
    expect(order).toEqual([]);
    expect(lines.join('')).toContain(`not closed within 0 ms: ${NAMED}`);
    resolve();
  });

  it('exits at once on a later signal, not on one that came twice', async () => {
    const { base, owner, shutdown } = await boot(60_000);
    const answer = ask(`${base}/slow`, agent);
    await slow.entered.promise;
    const exits = jest.spyOn(owner, 'exit');
    owner.emit('SIGTERM', 'SIGTERM');
    owner.emit('SIGTERM', 'SIGTERM');
    expect(exits).not.toHaveBeenCalled();
    const later_ms = performance.now() + 1_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(later_ms);
    owner.emit('SIGTERM', 'SIGTERM');
    clock.mockRestore();
    expect(await owner.exited).toBe(1);
    expect(order).toEqual([]);
    slow.leave.resolve();
    await answer;
    await shutdown.begin();
  });
});
