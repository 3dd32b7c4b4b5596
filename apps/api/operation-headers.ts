import type { Operation, OperationFacts } from './platform/openapi/document.js';
import type { Schema } from './platform/requests/rule.js';
import { erasedView } from '../../libs/domain/contacts/commands.js';
import { deletedView } from '../../libs/domain/foundation/record-answers.js';
import { dryRunView } from '../../libs/application/replay/dry-run.js';

const text = (description: string, example?: string): object => ({
  description,
  schema: { type: 'string', ...(example !== undefined && { example }) },
});

/** Request headers by name, as OpenAPI parameters. The introduction explains those that every operation accepts. */
const REQUEST_HEADERS = {
  'Min-Drive-Revision': {
    description: 'The response must reflect records and permissions at least up to this revision',
    schema: { type: 'integer', minimum: 0 },
  },
  'If-None-Match': text('ETag of the record: 304 if record and response are unchanged'),
  'If-Match': text('ETag of the record: 412 if the record has changed or does not exist', '"42"'),
  'Idempotency-Key': {
    description: 'Repeated requests with this key return the first outcome',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  'Dry-Run': {
    description: 'true: the command is validated and decided, but nothing is stored',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  'Audit-Reason': {
    description: 'Reason for the command, in UTF-8; stored with its events',
    schema: { type: 'string', maxLength: 512 },
  },
} as const satisfies Record<string, object>;

/** Response headers of some operations; the introduction explains those of every response. */
export const RESPONSE_HEADERS = {
  ETag: text(
    'Revision at which the record’s own fields last changed, and a hash of the body',
    '"42.0123456789abcdef"',
  ),
  'Idempotent-Replayed': {
    description: 'The outcome of an earlier request with this Idempotency-Key; secrets are masked',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

/** Errors of reads that accept `as_of`, beside their own. */
const AS_OF_ERRORS = ['point.out-of-range', 'bookmark.not-found', 'permission.denied'] as const;

type RequestHeader = keyof typeof REQUEST_HEADERS;
type ResponseHeader = keyof typeof RESPONSE_HEADERS;

const IN_DRIVE = '/v1/drive/{organization_id}/';

/** Adds request and response headers, and the errors they cause, to an operation of the document. */
export function addHeaders(
  path: string,
  operation: Operation,
  facts: OperationFacts,
  schemas: Readonly<Record<string, Schema>>,
): void {
  const { commands, method } = facts;
  const in_drive = path.startsWith(IN_DRIVE);
  const is_tagged = in_drive && showsRecord(operation, schemas);
  const request_headers: RequestHeader[] = [];
  const response_headers: ResponseHeader[] = [];
  if (in_drive) request_headers.push('Min-Drive-Revision');
  if (acceptsAsOf(operation)) facts.errors.push(...AS_OF_ERRORS);
  if (in_drive && (commands || !acceptsAsOf(operation))) facts.errors.push('request.no-past');
  if (is_tagged && (method === 'get' || commands)) response_headers.push('ETag');
  if (is_tagged && method === 'get') {
    request_headers.push('If-None-Match');
    operation.responses['304'] = { description: 'Not modified: the cached response is current' };
  }
  if (commands) {
    request_headers.push('Audit-Reason');
    if (in_drive) {
      request_headers.push('Idempotency-Key', 'Dry-Run');
      response_headers.push('Idempotent-Replayed');
      // With If-Match, a command that names no record is refused, too.
      facts.errors.push(
        'request.idempotency-key-reused',
        'request.precondition-failed',
        'organization.too-many-records',
      );
      addDryRun(operation);
      if (namesRecord(operation, schemas)) request_headers.push('If-Match');
    }
  }
  operation.parameters = [...(operation.parameters ?? []), ...request_headers.map(parameter)];
  for (const status of ['200', '302', '304']) {
    const response = operation.responses[status];
    if (response && response_headers.length > 0)
      response.headers = {
        ...response.headers,
        ...Object.fromEntries(response_headers.map((name) => [name, reference('headers', name)])),
      };
  }
}

function parameter(name: RequestHeader): Parameter {
  return { name, in: 'header', ...REQUEST_HEADERS[name] };
}

function acceptsAsOf({ parameters }: Operation): boolean {
  return (parameters ?? []).some(({ name }) => name === 'as_of');
}

type Parameter = NonNullable<Operation['parameters']>[number];

/** Whether the response is one record that has an id and was not deleted. */
function showsRecord(operation: Operation, schemas: Readonly<Record<string, Schema>>): boolean {
  const data = envelopeOf(operation)?.properties?.data;
  const name = nameOf(data);
  return (
    name !== undefined && !DELETED_VIEWS.has(name) && 'id' in propertiesOf(schemas[name], schemas)
  );
}

/** Whether the body names the record to which If-Match applies. */
function namesRecord(operation: Operation, schemas: Readonly<Record<string, Schema>>): boolean {
  const body = operation.requestBody?.content['application/json']?.schema;
  const schema = schemas[nameOf(body) ?? ''] as
    { properties?: object; required?: string[] } | undefined;
  return 'permission_id' in (schema?.properties ?? {}) || (schema?.required ?? []).includes('id');
}

function addDryRun(operation: Operation): void {
  const envelope = envelopeOf(operation);
  if (envelope?.properties) envelope.properties.dry_run = dryRunView.schema;
}

interface Envelope {
  properties?: Record<string, object>;
}

/** The schema under `ok`; undefined if the response has no envelope. */
function envelopeOf({ responses }: Operation): Envelope | undefined {
  const schema = responses['200']?.content?.['application/json']?.schema as
    { properties?: { ok?: Envelope } } | undefined;
  return schema?.properties?.ok;
}

const DELETED_VIEWS: ReadonlySet<string> = new Set([deletedView.name, erasedView.name]);

function nameOf(schema: object | undefined): string | undefined {
  return (schema as { $ref?: string } | undefined)?.$ref?.split('/').at(-1);
}

/** The properties of a component, or of the components that it extends. */
function propertiesOf(
  schema: object | undefined,
  schemas: Readonly<Record<string, Schema>>,
): object {
  const { properties, allOf = [] } = (schema ?? {}) as { properties?: object; allOf?: object[] };
  const parts = allOf.map((part) => propertiesOf(schemas[nameOf(part) ?? ''] ?? part, schemas));
  return Object.assign({}, properties, ...parts) as object;
}

function reference(kind: 'headers' | 'schemas', name: string): object {
  return { $ref: `#/components/${kind}/${name}` };
}
