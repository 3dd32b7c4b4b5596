import { Inject, Injectable } from '@nestjs/common';
import type { FoundObject, UpdateFile } from '../../domain/directory/commands.js';
import { requiredObject } from '../../domain/directory/content/completion.js';
import type { Refusal } from '../../domain/kernel/refusal.js';
import { Drives } from '../../engine/drives/drives.js';
import { type CommandRequest, isRefused } from '../../engine/writer/call.js';
import { answerNow } from '../read-record.js';
import type { ActionInput } from './action-kinds.js';
import { type CheckedObject, ObjectChecks } from './object-checks.js';

/** Asks buckets for the uploads that actions declare complete, before the actions are decided. */
@Injectable()
export class BucketUploads {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(ObjectChecks) private readonly checks: ObjectChecks,
  ) {}

  /** The same actions, with what the buckets answered. */
  async confirm(
    drive_id: string,
    actions: readonly ActionInput[],
    request: CommandRequest,
  ): Promise<readonly ActionInput[]> {
    if (!actions.some(mayComplete)) return actions;
    await this.drives.commands.catchUp(drive_id);
    const deadline = this.checks.deadline();
    // Each bucket is asked once for an object, also if several actions name it.
    const answers = new Map<string, Promise<FoundObject | Refusal>>();
    const check = (object: CheckedObject): Promise<FoundObject | Refusal> => {
      const key = `${object.object_key}\n${object.auth_json}`;
      const answer = answers.get(key) ?? this.checks.check(object, deadline);
      answers.set(key, answer);
      return answer;
    };
    return Promise.all(
      actions.map(async (action) => {
        if (!mayComplete(action)) return action;
        const object = await this.requiredBy(drive_id, action, request);
        if (!object) return action;
        const found = await check(object);
        return { ...action, payload: { ...action.payload, found } };
      }),
    );
  }

  private async requiredBy(
    drive_id: string,
    { payload }: UpdateAction,
    { credential }: CommandRequest,
  ): Promise<CheckedObject | null> {
    const required = await answerNow<CheckedObject | null>(
      this.drives,
      { drive_id, credential },
      (context) => {
        const order = requiredObject(context, payload);
        if (!order) return null;
        const auth_json = context.open(order.auth_json, 'auth_json') ?? '';
        return { drive_id, auth_json, object_key: order.object_key };
      },
    );
    // Whatever is wrong with the caller is said when the action is decided.
    return isRefused(required) ? null : required.data;
  }
}

interface UpdateAction {
  readonly name: 'UPDATE_FILE';
  readonly payload: UpdateFile;
}

function mayComplete(action: ActionInput): action is UpdateAction & ActionInput {
  if (!('payload' in action) || action.name !== 'UPDATE_FILE') return false;
  return (action.payload as UpdateFile).upload_status === 'COMPLETED';
}
