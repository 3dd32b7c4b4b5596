import type { Operation, OperationFacts } from './platform/openapi/openapi.js';
import type { Schema } from './platform/requests/rule.js';
import { DeletedRecord } from './records/deleted.js';
import { DryRunRecord } from './records/dry-run.js';

const text = (description: string, example?: string): object => ({
  description,
  schema: { type: 'string', ...(example !== undefined && { example }) },
});

/** Request headers by name, as parameters of the document. */
const REQUEST_HEADERS = {
  'X-Request-Id': text('1–128 visible ASCII characters, echoed on the answer'),
  'Min-Drive-Revision': {
    description:
      'Neither records nor permissions behind the answer may be older than this revision',
    schema: { type: 'integer', minimum: 0 },
  },
  'If-None-Match': text('ETag of the record: 304 if answer and record are still the same'),
  'If-Match': text('ETag of the record: 412 if the record changed since, or is not there', '"42"'),
  'Idempotency-Key': {
    description: 'Repeats of the command under this key answer the first outcome',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  'Dry-Run': {
    description: 'true: everything is checked and decided, nothing is stored',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  Prefer: {
    description:
      'handling=strict: unknown fields of the body are 400, each named with the nearest known one',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
  'Audit-Reason': {
    description: 'Why it is done, in UTF-8; stored with the events',
    schema: { type: 'string', maxLength: 512 },
  },
} as const satisfies Record<string, object>;

/** Headers of answers beside those that every answer has. */
export const ANSWER_HEADERS = {
  'Drive-Revision': {
    description:
      'The answer reflects the stream at least up to this revision; of a command, its last event',
    schema: { type: 'integer' },
  },
  ETag: text(
    'Revision of the record’s own fields, and a hash of the body',
    '"42.0123456789abcdef"',
  ),
  'Preference-Applied': {
    description: 'The preference that was heeded',
    schema: { type: 'string', enum: ['handling=strict'] },
  },
  'Idempotent-Replayed': {
    description: 'The outcome of an earlier request with this Idempotency-Key; secrets are masked',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

/** What a read that can be asked of the past is refused for beside its own errors. */
const PAST_ERRORS = ['point.out-of-range', 'bookmark.not-found', 'permission.denied'] as const;

type RequestHeader = keyof typeof REQUEST_HEADERS;
type AnswerHeader = keyof typeof ANSWER_HEADERS;

const IN_DRIVE = '/v1/drive/{organization_id}/';

/** Writes into an operation of the document which headers it honours and answers with. */
export function addHeaders(
  path: string,
  operation: Operation,
  facts: OperationFacts,
  schemas: Readonly<Record<string, Schema>>,
): void {
  const { never, commands, method } = facts;
  const in_drive = path.startsWith(IN_DRIVE);
  const is_tagged = in_drive && !never && showsRecord(operation, schemas);
  const honours: RequestHeader[] = ['X-Request-Id'];
  const answers: AnswerHeader[] = [];
  if (path.startsWith('/v1/') && !never) answers.push('Drive-Revision');
  if (operation.requestBody) {
    honours.push('Prefer');
    answers.push('Preference-Applied');
  }
  if (in_drive) honours.push('Min-Drive-Revision');
  if (takesPast(operation)) facts.errors.push(...PAST_ERRORS);
  if (in_drive && (commands || !takesPast(operation))) facts.errors.push('request.no-past');
  if (is_tagged && (method === 'get' || commands)) answers.push('ETag');
  if (is_tagged && method === 'get') {
    honours.push('If-None-Match');
    operation.responses['304'] = { description: 'The client has this answer already' };
  }
  if (commands && !never) {
    honours.push('Audit-Reason');
    if (in_drive) {
      honours.push('Idempotency-Key', 'Dry-Run');
      answers.push('Idempotent-Replayed');
      // A command that names no record is refused under an If-Match, too.
      facts.errors.push(
        'request.idempotency-key-reused',
        'request.precondition-failed',
        'organization.too-many-records',
      );
      addDryRun(operation);
      if (namesRecord(operation, schemas)) honours.push('If-Match');
    }
  }
  operation.parameters = [...(operation.parameters ?? []), ...honours.map(parameter)];
  for (const status of ['200', '302', '304']) {
    const response = operation.responses[status];
    if (response)
      response.headers = {
        ...response.headers,
        ...Object.fromEntries(answers.map((name) => [name, reference('headers', name)])),
      };
  }
}

function parameter(name: RequestHeader): Parameter {
  return { name, in: 'header', required: false, ...REQUEST_HEADERS[name] };
}

function takesPast({ parameters }: Operation): boolean {
  return (parameters ?? []).some(({ name }) => name === 'as_of');
}

type Parameter = NonNullable<Operation['parameters']>[number];

/** Whether the answer is one record that stays there: what has an id, and is not deleted. */
function showsRecord(operation: Operation, schemas: Readonly<Record<string, Schema>>): boolean {
  const data = envelopeOf(operation)?.properties?.data;
  const name = nameOf(data);
  return name !== undefined && !GONE.has(name) && 'id' in propertiesOf(schemas[name]);
}

/** Whether the body of a command says which record is meant, so that If-Match has something to compare. */
function namesRecord(operation: Operation, schemas: Readonly<Record<string, Schema>>): boolean {
  const body = operation.requestBody?.content['application/json']?.schema;
  const schema = schemas[nameOf(body) ?? ''] as { required?: string[] } | undefined;
  return 'permission_id' in propertiesOf(schema) || (schema?.required ?? []).includes('id');
}

/** A dry run answers what it would have stored beside `data`. */
function addDryRun(operation: Operation): void {
  const envelope = envelopeOf(operation);
  if (envelope?.properties) envelope.properties.dry_run = reference('schemas', DryRunRecord.name);
}

interface Envelope {
  properties?: Record<string, object>;
}

/** What stands under `ok`, of the answers that have it. */
function envelopeOf({ responses }: Operation): Envelope | undefined {
  const schema = responses['200']?.content?.['application/json']?.schema as
    { properties?: { ok?: Envelope } } | undefined;
  return schema?.properties?.ok;
}

const GONE: ReadonlySet<string> = new Set([DeletedRecord.name, 'ErasedRecord']);

function nameOf(schema: object | undefined): string | undefined {
  return (schema as { $ref?: string } | undefined)?.$ref?.split('/').at(-1);
}

function propertiesOf(schema: object | undefined): object {
  return (schema as { properties?: object } | undefined)?.properties ?? {};
}

function reference(kind: 'headers' | 'schemas', name: string): object {
  return { $ref: `#/components/${kind}/${name}` };
}
