import {
  Body,
  type CanActivate,
  Controller,
  createParamDecorator,
  ForbiddenException,
  Get,
  HttpCode,
  type NestInterceptor,
  Param,
  Req,
  Res,
  type Type,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compileRoute, type Routing } from './compiled-route.js';

/** What happened, in order. */
let steps: string[] = [];
let admits: () => boolean | Promise<boolean>;

class First implements CanActivate {
  canActivate(): boolean | Promise<boolean> {
    steps.push('first');
    return admits();
  }
}

class Second implements CanActivate {
  canActivate(): boolean {
    steps.push('second');
    return true;
  }
}

const Own = createParamDecorator((data: string) => `own ${data}`);

const shout = {
  transform: (value: unknown, { type, data }: { type: string; data?: string }) =>
    `${String(value)} of ${type} ${data}!`,
};

@Controller()
@UseGuards(First)
class Things {
  @Get('all/:id')
  @HttpCode(202)
  @UseGuards(Second)
  all(
    @Own('data') own: string,
    @Param('id', shout as never) id: string,
    @Body() body: object,
    @Req() { url }: FastifyRequest,
  ) {
    steps.push('handler');
    return { own, id, body, url };
  }

  @Get('later')
  async later() {
    await Promise.resolve();
    return 'later';
  }

  @Get('fails')
  async fails() {
    await Promise.resolve();
    throw new TypeError('later');
  }

  @Get('sends')
  sends(@Res() reply: FastifyReply) {
    void reply.send('sent');
    return 'ignored';
  }

  /** Resolves as a response that its client has not read to the end. */
  @Get('partly')
  async partly(@Res({ passthrough: true }) reply: FastifyReply) {
    (reply.raw as { headersSent: boolean }).headersSent = true;
    await Promise.resolve();
    setImmediate(() => void reply.send('the rest'));
  }

  @Get('intercepted')
  @UseInterceptors({ intercept: (_, next) => next.handle() } satisfies NestInterceptor)
  intercepted() {}
}

describe('a compiled route', () => {
  const instances = new Map<Type, object>([
    [Things, new Things()],
    [First, new First()],
    [Second, new Second()],
  ]);

  beforeEach(() => {
    steps = [];
    admits = () => true;
  });

  /** The outcome of a request: what is sent, or the error. */
  function ask(method: keyof Things): Promise<{ body?: unknown; error?: unknown; code?: number }> {
    return new Promise((resolve) => {
      let code: number | undefined;
      const finish = (outcome: object): void => resolve({ ...outcome, ...(code && { code }) });
      const routing: Routing = {
        instance: (type) => instances.get(type)!,
        pipe: {
          transform(value, { type, metatype }) {
            steps.push(`pipe ${type} ${metatype?.name}`);
            return value;
          },
        },
        receive: () => steps.push('receive'),
        send: (_, body) => finish({ body }),
        fail: (error) => finish({ error }),
      };
      const reply = {
        sent: false,
        raw: { headersSent: false },
        code: (status: number) => (code = status),
        send: (body: unknown) => finish({ body }),
      };
      const request = { params: { id: 'x' }, body: { a: 1 }, url: '/all/x' };
      const route = compileRoute({ controller: Things, method }, routing);
      route(request as unknown as FastifyRequest, reply as unknown as FastifyReply);
    });
  }

  it('runs guards of controller and handler, then pipes, then the handler', async () => {
    const body = { own: 'own data', id: 'x of param id!', body: { a: 1 }, url: '/all/x' };
    expect(await ask('all')).toEqual({ body, code: 202 });
    expect(steps).toEqual([
      ...['first', 'second', 'receive'],
      ...['pipe param String', 'pipe body Object', 'handler'],
    ]);
  });

  it('waits for guards that return promises', async () => {
    admits = async () => {
      await Promise.resolve();
      steps.push('admitted');
      return true;
    };
    expect(await ask('all')).toMatchObject({ code: 202 });
    expect(steps.slice(0, 3)).toEqual(['first', 'admitted', 'second']);
  });

  it.each<[string, () => boolean | Promise<boolean>]>([
    ['now', () => false],
    ['later', () => Promise.resolve(false)],
  ])('ends with a guard that refuses %s', async (_, verdict) => {
    admits = verdict;
    expect(await ask('all')).toEqual({ error: expect.any(ForbiddenException) });
    expect(steps).toEqual(['first']);
  });

  it.each<[string, () => boolean | Promise<boolean>]>([
    [
      'throws',
      () => {
        throw new TypeError('guard');
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('guard'))],
  ])('fails with the error of a guard that %s', async (_, verdict) => {
    admits = verdict;
    expect(await ask('all')).toEqual({ error: new TypeError('guard') });
  });

  it('sends what a handler resolves to, and its errors', async () => {
    expect(await ask('later')).toEqual({ body: 'later' });
    expect(await ask('fails')).toEqual({ error: new TypeError('later') });
  });

  it('leaves the response to a handler that has the reply', async () => {
    expect(await ask('sends')).toEqual({ body: 'sent' });
  });

  it('adds nothing to a response that was begun', async () => {
    expect(await ask('partly')).toEqual({ body: 'the rest' });
  });

  it('refuses decorators that it does not know', async () => {
    await expect(ask('intercepted')).rejects.toThrow(
      'Things.intercepted: routes have no interceptors',
    );
  });
});
