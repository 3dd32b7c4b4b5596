import type { OpenAPIObject } from '@nestjs/swagger';
import type { Operation } from './document.js';

interface Described {
  $ref?: string;
  type?: unknown;
  format?: string;
  description?: string;
  properties?: Record<string, Described>;
  items?: Described;
  additionalProperties?: Described | boolean;
  anyOf?: Described[];
  oneOf?: Described[];
  allOf?: Described[];
}

type Descriptions = Readonly<Record<string, string>>;

/** Names of text fields that contain a URL. */
const URL_FIELD = /(?:^|_)url$|avatar$|^endpoint$/;

/** Adds descriptions and URL formats to fields and path parameters that have none. */
export function describeFields(document: OpenAPIObject, descriptions: Descriptions): void {
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    describeWithin(schema as Described, descriptions, name);
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path as Record<string, Operation>)) {
      for (const parameter of operation.parameters ?? [])
        parameter.description ??= descriptionOf(parameter.name, descriptions);
      for (const { content = {} } of Object.values(operation.responses ?? {}))
        for (const { schema } of Object.values(content))
          describeWithin(contentOf((schema ?? {}) as Described), descriptions);
    }
}

/** What is within the envelope of an answer, which the introduction describes. */
function contentOf(schema: Described): Described {
  return schema.properties?.['ok']?.properties?.['data'] ?? schema;
}

/** By the name of a field; ids need no entry. */
function descriptionOf(name: string, descriptions: Descriptions): string | undefined {
  const subject = /^(.+)_id$/.exec(name)?.[1];
  return descriptions[name] ?? (subject && `Id of the ${subject.replaceAll('_', ' ')}`);
}

function describeWithin(schema: Described, descriptions: Descriptions, name?: string): void {
  // Shapes are shared between fields, so descriptions go into copies.
  if (schema.properties)
    schema.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([field, property]) => {
        const copy = { ...property };
        const description = descriptions[`${name}.${field}`] ?? descriptionOf(field, descriptions);
        if (copy.description === undefined && description) copy.description = description;
        if (URL_FIELD.test(field) && copy.format === undefined && isText(copy)) copy.format = 'uri';
        return [field, copy];
      }),
    );
  for (const part of [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ])
    describeWithin(part, descriptions);
}

function isText({ type }: Described): boolean {
  return [type].flat().includes('string');
}
