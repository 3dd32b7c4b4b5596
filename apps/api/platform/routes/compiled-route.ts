import type { CanActivate, ParamData, PipeTransform, Type } from '@nestjs/common';
import {
  GUARDS_METADATA,
  HTTP_CODE_METADATA,
  EXCEPTION_FILTERS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ForbiddenException } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A method of a controller that answers requests. */
export interface Route {
  readonly controller: Type;
  readonly method: string;
}

/** What the routes of an application share. */
export interface Routing {
  /** The instance of a controller or a guard. */
  instance(type: Type): object;
  /** Reads parameters before their own pipes. Must not return a promise. */
  readonly pipe: PipeTransform;
  /** Called once the guards have admitted a request, before its parameters are read. */
  receive(request: FastifyRequest): void;
  send(reply: FastifyReply, body: unknown): void;
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply): void;
}

/** Answers one request. Fastify awaits nothing, because the response is sent and errors are handled here. */
type RequestHandler = (request: FastifyRequest, reply: FastifyReply) => void;

/** Decorators that routes do not know; Nest would apply them. */
const UNKNOWN = {
  interceptors: INTERCEPTORS_METADATA,
  filters: EXCEPTION_FILTERS_METADATA,
  pipes: PIPES_METADATA,
} as const;

/**
 * One function for a route, from the decorators of its controller: guards, parameters with their pipes, the handler, and
 * the response. Nest's own does the same by some ten layers, each with a promise; here a promise is awaited only where a
 * guard or the handler returns one.
 *
 * @throws Error if the route has a decorator that is not supported
 */
export function compileRoute({ controller, method }: Route, routing: Routing): RequestHandler {
  const prototype = controller.prototype as Record<string, (...values: unknown[]) => unknown>;
  const handler = prototype[method]!;
  const name = `${controller.name}.${method}`;
  for (const [what, key] of Object.entries(UNKNOWN))
    if (metadata(key, controller) ?? metadata(key, handler))
      throw new Error(`${name}: routes have no ${what} of their own`);
  const instance = routing.instance(controller);
  const guards = [controller, handler].flatMap(
    (target) => metadata<Type[]>(GUARDS_METADATA, target) ?? [],
  );
  const checks = guards.map((guard) => routing.instance(guard) as CanActivate);
  const parameters = parametersOf(controller, method, routing.pipe);
  const status = metadata<number>(HTTP_CODE_METADATA, handler);
  const sends_itself =
    parameters.some(({ is_reply }) => is_reply) &&
    !Reflect.getMetadata(RESPONSE_PASSTHROUGH_METADATA, controller, method);
  const { receive, send, fail } = routing;

  function finish(body: unknown, request: FastifyRequest, reply: FastifyReply): void {
    // A handler that sends its response returns it; also if the client disconnects meanwhile.
    if (sends_itself || reply.sent || reply.raw.headersSent) return;
    try {
      send(reply, body);
    } catch (error) {
      fail(error, request, reply);
    }
  }

  function answer(context: ExecutionContextHost, request: FastifyRequest, reply: FastifyReply) {
    if (status !== undefined) void reply.code(status);
    receive(request);
    const values = parameters.map(({ read }) => read(request, reply, context));
    const body = handler.apply(instance, values);
    if (!isThenable(body)) finish(body, request, reply);
    else
      body.then(
        (settled) => finish(settled, request, reply),
        (error: unknown) => fail(error, request, reply),
      );
  }

  /** Asks the guards in order, from the `nth` one on, and answers if all admit the request. */
  function admit(
    nth: number,
    context: ExecutionContextHost,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void | Promise<void> {
    for (let at = nth; at < checks.length; at++) {
      const verdict = checks[at]!.canActivate(context);
      if (verdict instanceof Promise)
        return verdict.then((is_admitted: boolean) => {
          if (!is_admitted) throw new ForbiddenException();
          return admit(at + 1, context, request, reply);
        });
      if (!verdict) throw new ForbiddenException();
    }
    answer(context, request, reply);
  }

  const respond: RequestHandler = (request, reply) => {
    try {
      const context = new ExecutionContextHost([request, reply], controller, handler);
      admit(0, context, request, reply)?.catch((error: unknown) => fail(error, request, reply));
    } catch (error) {
      fail(error, request, reply);
    }
  };
  return Object.defineProperty(respond, 'name', { value: name });
}

interface Parameter {
  readonly is_reply: boolean;
  read(request: FastifyRequest, reply: FastifyReply, context: ExecutionContextHost): unknown;
}

type Read = Parameter['read'];

/** A parameter as the decorators of Nest describe it. */
interface Described {
  readonly index: number;
  readonly data: ParamData | undefined;
  readonly pipes: readonly PipeTransform[];
  /** Of a decorator made by `createParamDecorator`. */
  readonly factory?: (data: ParamData | undefined, context: ExecutionContextHost) => unknown;
}

/** Parameters to which pipes apply. */
const PIPED: Readonly<Record<number, 'body' | 'query' | 'param'>> = {
  [RouteParamtypes.BODY]: 'body',
  [RouteParamtypes.QUERY]: 'query',
  [RouteParamtypes.PARAM]: 'param',
};

function parametersOf(controller: Type, method: string, pipe: PipeTransform): Parameter[] {
  const described: Record<string, Described> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {};
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) ??
    []) as (Type | undefined)[];
  const parameters: Parameter[] = [];
  for (const [key, { index, data, pipes, factory }] of Object.entries(described)) {
    const kind: number = Number(key.split(':')[0]);
    const type = PIPED[kind];
    const name = data as string | undefined;
    const extract = factory
      ? (((_request, _reply, context) => factory(data, context)) satisfies Read)
      : extractorOf(kind, name);
    if (!extract) throw new Error(`${controller.name}.${method}: parameter ${index} is unknown`);
    const argument = { type: type ?? 'custom', metatype: types[index], data: name } as const;
    const steps = type ? [pipe, ...pipes] : factory ? [...pipes] : [];
    parameters[index] = {
      is_reply: kind === REPLY,
      read: steps.reduce<Read>(
        (before, step) => (request, reply, context) =>
          step.transform(before(request, reply, context), argument),
        extract,
      ),
    };
  }
  for (let index = 0; index < parameters.length; index++)
    parameters[index] ??= { is_reply: false, read: () => undefined };
  return parameters;
}

/** Parts of a request that a parameter reads, whole or by name. */
const PARTS: Readonly<Record<number, (request: FastifyRequest) => unknown>> = {
  [RouteParamtypes.BODY]: ({ body }) => body,
  [RouteParamtypes.PARAM]: ({ params }) => params,
  [RouteParamtypes.QUERY]: ({ query }) => query,
  [RouteParamtypes.HEADERS]: ({ headers }) => headers,
};
const REQUEST: number = RouteParamtypes.REQUEST;
const REPLY: number = RouteParamtypes.RESPONSE;

function extractorOf(kind: number, name: string | undefined): Read | undefined {
  if (kind === REQUEST) return (request) => request;
  if (kind === REPLY) return (_, reply) => reply;
  const part = PARTS[kind];
  if (!part || name === undefined) return part;
  return (request) => (part(request) as Record<string, unknown>)[name];
}

function metadata<T>(key: string, target: object): T | undefined {
  return Reflect.getMetadata(key, target) as T | undefined;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
