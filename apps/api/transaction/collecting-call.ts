import type { DriveCommand } from '../../../libs/application/drive-command.js';
import type { CommandRequest } from '../../../libs/engine/call.js';
import { DriveRequest } from '../drive/drive-request.js';

/**
 * The call that a controller gets in place of a request of its own: `DriveApi.run` hands the command
 * it made to it and runs nothing. Whatever else a route does needs the reply or the request's
 * circumstances, which are not to be had here.
 */
export class CollectingCall extends DriveRequest {
  collected: DriveCommand<unknown, unknown> | undefined;

  constructor({ drive_id, credential }: DriveRequest) {
    super(drive_id, credential, [''], undefined, undefined as never, undefined as never);
  }

  override get command(): CommandRequest {
    throw new Error('a command of a transaction has no request of its own');
  }
}
