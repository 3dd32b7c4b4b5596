import { applyDecorators, Post, SetMetadata, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import type { CommandClass } from '../../../libs/application/drive-command.js';
import type { Shape } from '../../../libs/domain/kernel/view.js';
import { ApiData, Operation, type OperationText } from '../platform/openapi/openapi-decorators.js';
import type { Class } from '../platform/requests/rule.js';
import type { Settings } from '../platform/settings/settings.js';
import { TOKEN_RULE } from './drive-guard.js';
import type { DriveRequest } from './drive-request.js';

const COMMAND_ROUTE = 'drive:command-route';

/**
 * A route that runs a command; transactions accept it, too. Its handler takes the request and the body, and calls
 * `DriveApi.run` with a class that `driveCommand` has declared: other side effects could not be rolled back.
 *
 * @param shown description of the response
 */
export function CommandRoute(
  path: string | string[],
  data: Shape,
  text: OperationText,
  shown?: string,
): MethodDecorator {
  return applyDecorators(
    Operation(text),
    ApiData(data, shown),
    Post(path),
    SetMetadata(COMMAND_ROUTE, true),
  ) as MethodDecorator;
}

/** A command class and the input of one call. */
interface CommandWithInput {
  readonly command: CommandClass<unknown, unknown>;
  readonly input: unknown;
}

/** Stands for `DriveApi` where a handler is to name its command instead of running it; null if it would read. */
const NAMING = {
  run: (_: DriveRequest, command: unknown, input: unknown) => ({ command, input }),
  query: () => null,
};

/** A command that transactions accept. */
interface AcceptedCommand {
  readonly body: Class;
  /** True: a code in the body authenticates the request, and tokens are ignored. */
  readonly by_code: boolean;
  /** The command for a body; null if the body asks for a read. @throws ApiError as the route does */
  readonly read: (call: DriveRequest, body: object, settings: Settings) => CommandWithInput | null;
}

const commands = new Map<string, AcceptedCommand>();

/** The command at a path below the organization's id; undefined if transactions do not accept it. */
export function commandAt(path: string): AcceptedCommand | undefined {
  return commands.get(path);
}

type Handler = (call: DriveRequest, body: object) => unknown;
type Routes = new (api: typeof NAMING, settings: Settings) => Readonly<Record<string, Handler>>;

/** Lets transactions accept the command routes of a controller. @param prefix of their paths; may be empty */
export function acceptCommands(prefix: string, controller: Type): void {
  const prototype = controller.prototype as Readonly<Record<string, Handler>>;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const handler = prototype[name]!;
    if (!Reflect.getMetadata(COMMAND_ROUTE, handler)) continue;
    const [, body] = Reflect.getMetadata('design:paramtypes', prototype, name) as [unknown, Class];
    const by_code = Reflect.getMetadata(TOKEN_RULE, handler) === 'ignored';
    const read: AcceptedCommand['read'] = (call, given, settings) => {
      const routes = new (controller as unknown as Routes)(NAMING, settings);
      return routes[name]!(call, given) as CommandWithInput | null;
    };
    const paths = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat();
    for (const path of paths)
      commands.set([prefix, path].filter((part) => part && part !== '/').join('/'), {
        body,
        by_code,
        read,
      });
  }
}
