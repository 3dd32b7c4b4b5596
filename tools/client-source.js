import openapiTS, { astToString } from 'openapi-typescript';
import { clientOperations } from './client-operations.js';

/** Writes them to their file. */
export const COMMAND = 'npm run generate:client';

const HEAD = `// Generated from the OpenAPI document by "${COMMAND}". Do not edit.\n\n`;

/**
 * The types and operations of the client package, as TypeScript: `paths` and `components` of the OpenAPI document, and
 * the tables of operations. Responses with errors and headers are omitted, because the client handles those the same
 * way for every operation.
 *
 * @param {object} document OpenAPI document
 * @returns {Promise<string>}
 */
export async function clientSource(document) {
  const operations = clientOperations(/** @type {any} */ (document));
  const copy = JSON.parse(JSON.stringify(document));
  for (const path of Object.values(copy.paths))
    for (const operation of Object.values(path)) {
      if (!operation.responses) continue;
      delete operation.operationId;
      const good = Object.entries(operation.responses)
        .filter(([status]) => Number(status) < 400)
        .map(([status, response]) => [status, withoutHeaders(response, copy)]);
      operation.responses = Object.fromEntries(good);
      operation.parameters = operation.parameters?.filter(
        (/** @type {object} */ parameter) => !isHeader(parameter, copy),
      );
    }
  delete copy.webhooks;
  copy.components = { schemas: copy.components.schemas, parameters: copy.components.parameters };
  for (const [name, parameter] of Object.entries(copy.components.parameters ?? {}))
    if (isHeader(parameter, copy)) delete copy.components.parameters[name];
  const types = astToString(await openapiTS(copy, { defaultNonNullable: false }));
  return `${HEAD}${operations}\n${types}`;
}

/**
 * @param {{ $ref?: string, headers?: object }} response
 * @param {{ components: { responses?: Record<string, { headers?: object }> } }} document
 */
function withoutHeaders({ $ref: reference, ...own }, document) {
  const name = reference?.split('/').at(-1);
  const response = {
    headers: undefined,
    ...own,
    ...(name && document.components.responses?.[name]),
  };
  delete response.headers;
  return response;
}

/**
 * @param {{ $ref?: string, in?: string }} parameter
 * @param {{ components: { parameters?: Record<string, { in?: string }> } }} document
 */
function isHeader(parameter, document) {
  const name = parameter.$ref?.split('/').at(-1);
  const { in: place } =
    name === undefined ? parameter : (document.components.parameters?.[name] ?? {});
  return place === 'header';
}
