/** Paths that serve an operation under a second name. */
const ALIAS = /\/(?:superswap|upsert)$/;

/** Paths with methods of their own, or of no use to the client's table. */
const OTHER = /^\/$|\/directory\/(?:asset|content|uploads)\b|\/organization\/(?:events|webrtc)$/;

/** Names of operations whose paths, without parameters and these parts, are not their names. */
const UNNAMED_PARTS = /^(?:helpers|spawnorg)$/;
const NAMES = new Map([
  ['organization.bookmarks', 'bookmarks.create'],
  ['organization.bookmarks.list', 'bookmarks.list'],
  ['organization.bookmarks.delete', 'bookmarks.delete'],
]);

/** Operations with an effect that store no event. */
const UNRECORDED = ['testWebhook', 'migrateFactory'];

/** Parameters of the query that the client sets itself. */
export const OWN_QUERY = ['as_of', 'as_user', 'envelope'];

/** @typedef {{ operationId: string, parameters?: { $ref?: string, name: string, in: string }[], requestBody?: object }} Documented */
/** @typedef {{ paths: Record<string, Record<string, Documented>>, components: { parameters?: Record<string, any> } }} Document */

/**
 * The tables of operations of the client package, as TypeScript: `DRIVE_OPERATIONS` and `FACTORY_OPERATIONS`, named as
 * their paths.
 *
 * @param {Document} document OpenAPI document
 * @returns {string}
 */
export function clientOperations(document) {
  const drive = {};
  const factory = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    if (ALIAS.test(path) || OTHER.test(path)) continue;
    const [, table, rest] = /** @type {string[]} */ (
      /^\/(?:v1\/(drive\/\{organization_id\}|factory)\/)?(.*)$/.exec(path)
    );
    for (const [method, operation] of Object.entries(methods))
      place(table?.startsWith('drive') ? drive : factory, nameOf(rest ?? ''), {
        method,
        path,
        ...factsOf(method, operation, document),
      });
  }
  return [
    "import type { Operations } from '../operations.js';",
    '',
    '/** Operations of one organization. Not here: the live feed, uploads, downloads and the signalling socket. */',
    source('DRIVE_OPERATIONS', drive),
    '',
    '/** Operations outside organizations. */',
    source('FACTORY_OPERATIONS', factory),
    '',
  ].join('\n');
}

/** @param {string} path without the prefix of its table */
function nameOf(path) {
  const parts = path
    .split('/')
    .filter((part) => !part.startsWith('{') && !UNNAMED_PARTS.test(part));
  const name = parts.join('.').replaceAll('-', '_');
  // A job is read where it was begun.
  if (path.endsWith('/{job_id}')) return `${name}_job`;
  return NAMES.get(name) ?? name;
}

/**
 * @param {string} method
 * @param {Documented} operation
 * @param {Document} document
 */
function factsOf(method, operation, document) {
  const parameters = (operation.parameters ?? []).map(({ $ref: reference, ...own }) =>
    reference === undefined
      ? own
      : document.components.parameters?.[reference.split('/').at(-1) ?? ''],
  );
  /** @param {string} name */
  const has = (name) => parameters.some((parameter) => parameter.name === name);
  const has_effect = has('Audit-Reason') || UNRECORDED.includes(operation.operationId);
  const without_key = has_effect ? 'once' : has('as_of') ? 'read' : 'query';
  const has_query = parameters.some(
    (parameter) => parameter.in === 'query' && !OWN_QUERY.includes(parameter.name),
  );
  return {
    kind: has('Idempotency-Key') ? 'command' : without_key,
    ...(has_query && { has_query }),
    ...(method === 'post' && !operation.requestBody && { without_body: true }),
  };
}

/**
 * @param {Record<string, any>} tree
 * @param {string} name parts separated by dots
 * @param {object} operation
 */
function place(tree, name, operation) {
  const parts = name.split('.');
  const last = /** @type {string} */ (parts.pop());
  let branch = tree;
  for (const part of parts) branch = branch[part] ??= {};
  if (branch[last]) throw new Error(`Two operations are named ${name}`);
  branch[last] = operation;
}

/**
 * @param {string} name
 * @param {object} operations
 */
function source(name, operations) {
  return `export const ${name} = ${literal(operations, '')} as const satisfies Operations;`;
}

/**
 * One operation a line.
 * @param {object} entry
 * @param {string} indent
 * @returns {string}
 */
function literal(entry, indent) {
  if ('path' in entry) return JSON.stringify(entry);
  const lines = Object.entries(entry).map(
    ([name, value]) => `${indent}  ${name}: ${literal(value, `${indent}  `)},\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}
