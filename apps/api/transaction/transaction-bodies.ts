import { operationAt } from '../drive/operation.js';
import { Field, ListOf, Text } from '../platform/requests/fields.js';
import { jsonObject, withParts } from '../platform/requests/rules.js';
import { ShownList } from '../records/shown.js';

/** Any object here: it is read once what it refers to is known. */
const commandBody = withParts(
  jsonObject({ description: 'A text like `$0.id` stands for a field of an earlier result' }),
  ({ path }) => (typeof path === 'string' ? operationAt(path)?.body : undefined),
);

export class TransactionCommandBody {
  @Text({
    required: true,
    max: 256,
    description: 'The path of the command after the organization’s id',
    example: 'groups/create',
  })
  path!: string;
  @Field(commandBody) body?: object;
  @Text({ max: 256, description: 'As the header If-Match' }) if_match?: string;
}

export class TransactionBody {
  @ListOf(() => TransactionCommandBody, { required: true, min: 1, max: 100 })
  commands!: TransactionCommandBody[];
}

export class TransactionRecord {
  @ShownList({ description: 'The data of each command in order' }) results!: unknown[];
}
