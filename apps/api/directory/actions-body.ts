import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import {
  ACTIONS,
  type ActionInput,
  type ActionName,
} from '../../../libs/application/directory/action-kinds.js';
import { refuse } from '../../../libs/domain/kernel/refusal.js';
import { Field, ListOf, Text } from '../platform/requests/fields.js';
import { readObject } from '../platform/requests/reader.js';
import { fault, Fault, isObject, Rule } from '../platform/requests/rule.js';
import { withParts } from '../platform/requests/rules.js';
import { PAYLOADS } from './payloads.js';

const payload_types = [...new Set(Object.values(PAYLOADS))];

/** Accepts any object: an invalid payload fails its action, not the request. */
const payload = withParts(
  new Rule({ anyOf: payload_types.map((type) => ({ $ref: getSchemaPath(type) })) }, (value) =>
    isObject(value) ? value : fault('must be an object'),
  ),
  ({ action }) => (isAction(action) ? PAYLOADS[action] : undefined),
);

const target = new Rule(
  { type: 'object', properties: { resource_id: { type: 'string' } } },
  (value) => (isObject(value) ? value : fault('must be an object')),
  {
    description:
      'For older clients: resource_id replaces an absent id (CREATE_*: parent_folder_uuid) of the payload',
    deprecated: true,
  },
);

@ApiExtraModels(...payload_types)
export class ActionBody {
  @Text({ required: true, description: Object.keys(ACTIONS).join(', '), example: 'GET_FOLDER' })
  action!: string;
  @Field(payload) payload?: Record<string, unknown>;
  @Field(target) target?: Record<string, unknown>;
}

export class ActionsBody {
  @ListOf(() => ActionBody, { min: 1, max: 100, required: true }) actions!: ActionBody[];
}

function isAction(name: unknown): name is ActionName {
  return typeof name === 'string' && Object.hasOwn(ACTIONS, name);
}

/** Reads one action. A fault becomes the outcome of the action; it does not fail the request. */
export function readAction({ action, payload: given = {}, target: at }: ActionBody): ActionInput {
  if (!isAction(action))
    return invalid('/action', `must be one of ${Object.keys(ACTIONS).join(', ')}`);
  const id_name = action.startsWith('CREATE_') ? 'parent_folder_uuid' : 'id';
  const source = { ...given, [id_name]: given[id_name] ?? at?.resource_id };
  const read = readObject(PAYLOADS[action], source);
  if (!(read instanceof Fault)) return { name: action, payload: read };
  const details = read.problems.map(({ at: pointer, ...problem }) => ({ pointer, ...problem }));
  return { name: action, invalid: refuse('invalid-field', ...details) };
}

function invalid(pointer: string, reason: string): ActionInput {
  return { invalid: refuse('invalid-field', { pointer, reason }) };
}
