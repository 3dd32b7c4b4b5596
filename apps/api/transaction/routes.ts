import { Inject, Injectable, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { type DriveCommand, makingOf } from '../../../libs/application/drive-command.js';
import { type TokenRule, tokenRuleOf } from '../drive/drive-guard.js';
import type { DriveRequest } from '../drive/drive-request.js';
import type { Class } from '../platform/rule.js';
import { readBody } from '../platform/validation.js';
import { CollectingCall } from './collecting-call.js';

const DRIVE_ROUTES = 'v1/drive/:organization_id';
const BODY_KEY = /^3:(\d+)$/;
const CALL_KEY = /__customRouteArgs__:(\d+)$/;

/** What stands in no transaction, whatever it is made of. */
const EXCLUDED: ReadonlySet<string> = new Set([
  'transaction',
  'organization/reindex',
  'contacts/erase',
  'directory/action',
]);

interface Route {
  readonly controller: object;
  readonly handler: (...args: unknown[]) => unknown;
  readonly body_at: number | null;
  readonly body_type: Class | undefined;
  readonly call_at: number;
  readonly token: TokenRule;
}

/**
 * The commands of all controllers by their path, found in the controllers themselves: a command in a
 * transaction is read, checked and made by the very method that serves its route.
 */
@Injectable()
export class CommandRoutes implements OnModuleInit {
  private readonly routes = new Map<string, Route>();

  constructor(@Inject(ModulesContainer) private readonly modules: ModulesContainer) {}

  onModuleInit(): void {
    const scanner = new MetadataScanner();
    for (const module of this.modules.values())
      for (const { instance } of module.controllers.values()) {
        const type = (instance as object).constructor;
        const base = String(Reflect.getMetadata(PATH_METADATA, type) ?? '');
        if (base !== DRIVE_ROUTES && !base.startsWith(`${DRIVE_ROUTES}/`)) continue;
        for (const name of scanner.getAllMethodNames(Object.getPrototypeOf(instance)))
          this.add(base.slice(DRIVE_ROUTES.length + 1), instance as object, name);
      }
  }

  /** How tokens are treated on a command's own route; undefined if there is no such command. */
  tokenRule(path: string): TokenRule | undefined {
    return this.routes.get(path)?.token;
  }

  /**
   * The command that a route makes of a body, null if it makes none.
   * @throws ApiError as the route would answer
   */
  command(path: string, call: DriveRequest, body: unknown): DriveCommand<unknown, unknown> | null {
    const route = this.routes.get(path)!;
    const collecting = new CollectingCall(call);
    const args: unknown[] = [];
    args[route.call_at] = collecting;
    if (route.body_at !== null) args[route.body_at] = readBody(body, route.body_type);
    // A route that is no command fails for want of a request, or answers without having made one.
    void Promise.resolve(route.handler.apply(route.controller, args)).catch(() => {});
    const { collected } = collecting;
    return collected && makingOf(collected) ? collected : null;
  }

  private add(base: string, controller: object, name: string): void {
    const type = controller.constructor;
    const handler = (controller as Record<string, Route['handler']>)[name]!;
    if (Reflect.getMetadata(METHOD_METADATA, handler) !== RequestMethod.POST) return;
    const found = Reflect.getMetadata(ROUTE_ARGS_METADATA, type, name) as object | undefined;
    const keys = Object.keys(found ?? {});
    const call_at = placeOf(keys, CALL_KEY);
    const body_at = placeOf(keys, BODY_KEY);
    // Whatever takes more than these two is no plain command.
    if (call_at === null || keys.length > (body_at === null ? 1 : 2)) return;
    const types = Reflect.getMetadata('design:paramtypes', controller, name) as Class[];
    const body_type = body_at === null ? undefined : types[body_at];
    const own: unknown = Reflect.getMetadata(PATH_METADATA, handler);
    const token = tokenRuleOf(handler);
    for (const path of [own]
      .flat()
      .map((one) => [base, withoutSlashes(String(one))].filter(Boolean).join('/')))
      if (!path.includes(':') && !EXCLUDED.has(path))
        this.routes.set(path, { controller, handler, body_at, body_type, call_at, token });
  }
}

function withoutSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}

function placeOf(keys: readonly string[], pattern: RegExp): number | null {
  for (const key of keys) {
    const [, at] = pattern.exec(key) ?? [];
    if (at !== undefined) return Number(at);
  }
  return null;
}
