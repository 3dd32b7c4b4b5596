import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { clientOperations, OWN_QUERY } from './client-operations.js';

/** Writes them to their file. */
export const COMMAND = 'npm run generate:client';

const HEAD = `// Generated from the OpenAPI document by "${COMMAND}". Do not edit.\n\n`;

/** Operations and their parts, which are printed in one line each if nothing in them has a comment. */
const ONE_LINE = [
  'get',
  'post',
  'put',
  'patch',
  'delete',
  'parameters',
  'requestBody',
  'responses',
];

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
  const nodes = await openapiTS(documentOfTypes(document), { defaultNonNullable: false });
  const { transformed } = ts.transform(nodes.filter(ts.isInterfaceDeclaration), [shorten]);
  return `${HEAD}${operations}\n${astToString(transformed)}`;
}

/**
 * The parts of the document that become types. Descriptions remain where an editor shows them: of schemas, operations
 * and the caller's own parameters of the query.
 *
 * @param {any} document
 */
function documentOfTypes({ openapi, info, paths, components }) {
  /** @param {{ $ref?: string }} part */
  const resolved = ({ $ref: reference, ...own }) => {
    const [kind, name] = reference?.split('/').slice(-2) ?? [];
    return kind === undefined ? own : components[kind][name ?? ''];
  };
  /** @param {any} content */
  const typesOf = (content) => mapped(content, ({ schema }) => ({ schema }));
  /** @param {any} operation */
  const operationOf = ({
    summary,
    description,
    parameters = [],
    requestBody: body,
    responses,
  }) => ({
    summary,
    ...(description !== `${summary}.` && { description }),
    parameters: parameters
      .map(resolved)
      .filter((/** @type {any} */ parameter) => parameter.in !== 'header')
      .map(parameterOf),
    ...(body && { requestBody: { required: body.required, content: typesOf(body.content) } }),
    responses: Object.fromEntries(
      Object.entries(responses)
        .map(([status, response]) => [status, resolved(response)])
        .filter(([status, { content }]) => Number(status) < 400 && content)
        .map(([status, { content }]) => [status, { content: typesOf(content) }]),
    ),
  });
  return {
    openapi,
    info,
    paths: mapped(paths, (path) => mapped(path, operationOf)),
    components: { schemas: components.schemas },
  };
}

/** @param {any} parameter */
function parameterOf({ description, ...own }) {
  return own.in === 'path' || OWN_QUERY.includes(own.name) ? own : { ...own, description };
}

/**
 * @param {Record<string, any>} object
 * @param {(value: any) => any} map
 */
function mapped(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

/**
 * Removes the members that say nothing: those of type `never`, those without members, and headers of responses; and
 * the tags of enumerations. Prints bodies, responses and parameters without descriptions in one line each.
 *
 * @type {import('typescript').TransformerFactory<import('typescript').InterfaceDeclaration>}
 */
function shorten(context) {
  /**
   * @param {import('typescript').Node} node
   * @returns {import('typescript').Node | undefined}
   */
  const visit = (node) => {
    if (!ts.isPropertySignature(node) || !node.type) return ts.visitEachChild(node, visit, context);
    const name = ts.isIdentifier(node.name) ? node.name.text : '';
    if (name === 'schemas') {
      removeEnumTags(node);
      return node;
    }
    if (name === 'headers' || node.type.kind === ts.SyntaxKind.NeverKeyword) return undefined;
    if (name === 'content') removeComments(node);
    else node = ts.visitEachChild(node, visit, context);
    if (isEmpty(node)) return undefined;
    if (ONE_LINE.includes(name) && !ts.forEachChild(node, hasComments)) printInOneLine(node);
    return node;
  };
  return (node) => /** @type {any} */ (visit(node));
}

/** @param {import('typescript').Node} node */
function isEmpty(node) {
  return (
    ts.isPropertySignature(node) &&
    node.type !== undefined &&
    ts.isTypeLiteralNode(node.type) &&
    node.type.members.length === 0
  );
}

/**
 * @param {import('typescript').Node} node
 * @returns {boolean}
 */
function hasComments(node) {
  const comments = ts.getSyntheticLeadingComments(node) ?? [];
  return comments.length > 0 || (ts.forEachChild(node, hasComments) ?? false);
}

/**
 * The words of an enumeration are its type, which comes right after the comment.
 * @param {import('typescript').Node} node
 */
function removeEnumTags(node) {
  for (const comment of ts.getSyntheticLeadingComments(node) ?? []) {
    const lines = comment.text.split('\n');
    const others = lines.filter((line) => !line.startsWith(' * @enum '));
    if (others.length === lines.length) continue;
    // A comment of one line has no line for its beginning and end.
    const [, first = '', last] = others;
    comment.text = others.length === 3 && last === ' ' ? `*${first.slice(2)} ` : others.join('\n');
  }
  ts.forEachChild(node, removeEnumTags);
}

/** @param {import('typescript').Node} node */
function removeComments(node) {
  ts.setSyntheticLeadingComments(node, undefined);
  ts.forEachChild(node, removeComments);
}

/** @param {import('typescript').Node} node */
function printInOneLine(node) {
  ts.setEmitFlags(node, ts.EmitFlags.SingleLine);
  ts.forEachChild(node, printInOneLine);
}
