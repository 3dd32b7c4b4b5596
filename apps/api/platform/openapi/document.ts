import type { View } from '../../../../libs/domain/kernel/view.js';
import type { ErrorCatalogue } from '../errors.js';
import type { Schema } from '../requests/rule.js';
import type {
  ALIASES_MARK,
  COMMAND_MARK,
  ERRORS_MARK,
  OPEN_MARK,
  READ_MARK,
} from './openapi-decorators.js';

/** Extension of operations: their own error slugs; and of error responses: slugs of all operations. */
export const ERROR_TYPES = 'x-error-types';

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** SPDX id of the licence. */
  readonly licence: string;
  /** Tags of operations, grouped by task, in the order of the document. */
  readonly tag_groups?: readonly TagGroup[];
  /** Errors of the application, beside those of the platform. */
  readonly errors?: ErrorCatalogue;
  /** Error slugs of an operation beside its own. Default: 400, 401, 429 and 500 of the platform. */
  readonly common_errors?: (path: string, method: string) => readonly string[];
  /** Completes an operation for the application; may add error slugs to its facts. */
  readonly complete?: (
    path: string,
    operation: Operation,
    facts: OperationFacts,
    schemas: Readonly<Record<string, Schema>>,
  ) => void;
  /** Response headers to which `complete` refers. */
  readonly headers?: Readonly<Record<string, object>>;
  /** Examples of JSON bodies by operation id. */
  readonly body_examples?: Readonly<Record<string, object>>;
  /** Descriptions of fields by name or `Schema.name`. */
  readonly field_descriptions?: Readonly<Record<string, string>>;
  /** Requests that the service sends, by name. */
  readonly webhooks?: Readonly<Record<string, object>>;
  /** Views that `complete` and `webhooks` refer to. */
  readonly views?: readonly View[];
}

/** Tags of operations that belong to one task. */
export interface TagGroup {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Describes tags that no group lists; they follow in this group. */
  readonly describe_other?: (tag: string) => string;
}

/** Properties of an operation, from its decorators. */
export interface OperationFacts {
  readonly method: string;
  /** Whether it may append events. */
  readonly commands: boolean;
  /** Error slugs beside those of every operation. */
  readonly errors: string[];
}

/** An operation of the document: the parts that are completed here. */
export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  parameters?: Parameter[];
  requestBody?: { content: Content; required?: boolean };
  responses: Record<string, OperationResponse>;
  security?: object[];
  [READ_MARK]?: boolean;
  [COMMAND_MARK]?: boolean;
  [ERRORS_MARK]?: readonly string[];
  [OPEN_MARK]?: boolean;
  [ALIASES_MARK]?: Readonly<Record<string, string>>;
  [ERROR_TYPES]?: readonly string[];
}

export interface OperationResponse {
  description: string;
  headers?: object;
  content?: Content;
  readonly [ERROR_TYPES]?: readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: object;
  description?: string;
}

type Content = Record<string, { schema?: object; example?: object }>;
