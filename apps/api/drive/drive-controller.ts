import { applyDecorators, Controller, type Type, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Registered } from '../platform/controllers.js';
import { acceptCommands } from './command-routes.js';
import { DriveGuard } from './drive-guard.js';

/**
 * A controller for routes below `/v1/drive/{organization_id}`.
 * @param path prefix of its routes; may be empty
 * @param tag section of the API document
 */
export function DriveController(path: string, tag = path): ClassDecorator {
  return applyDecorators(
    ApiTags(tag),
    Controller(['v1/drive/:organization_id', ...(path ? [path] : [])].join('/')),
    UseGuards(DriveGuard),
    (controller: unknown) => {
      Registered(controller as Type);
      acceptCommands(path, controller as Type);
    },
  );
}
