import { commandAt } from '../drive/command-routes.js';
import { Field, ListOf, Text } from '../platform/requests/fields.js';
import { jsonObject, withParts } from '../platform/requests/rules.js';
import { anything, listOf, view } from '../../../libs/domain/kernel/view.js';

/** Accepts any object; the body is validated after its references are resolved. */
const commandBody = withParts(
  jsonObject({ description: 'A string such as `$0.id` refers to a field of an earlier result' }),
  ({ path }) => (typeof path === 'string' ? commandAt(path)?.body : undefined),
);

export class TransactionCommandBody {
  @Text({
    required: true,
    max: 256,
    description: 'Path of the command after the organization id',
    example: 'groups/create',
  })
  path!: string;
  @Field(commandBody) body?: object;
  @Text({ max: 256, description: 'Same as the header If-Match' }) if_match?: string;
}

export class TransactionBody {
  @ListOf(() => TransactionCommandBody, { required: true, min: 1, max: 100 })
  commands!: TransactionCommandBody[];
}

export const transactionView = view('Transaction', {
  results: listOf(anything, '`data` of each command, in order'),
});
