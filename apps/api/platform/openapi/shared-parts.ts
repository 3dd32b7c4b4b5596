import type { OpenAPIObject } from '@nestjs/swagger';
import type { Operation } from './document.js';

/** Components by their JSON text, and their names. */
class Parts {
  private readonly names = new Map<string, string>();

  constructor(
    private readonly section: 'parameters' | 'responses' | 'schemas',
    readonly components: Record<string, object> = {},
  ) {}

  /** A reference to the part, which becomes a component when it is first seen. */
  share(preferred_name: string, part: object): { $ref: string } {
    const json = JSON.stringify(part);
    let name = this.names.get(json);
    if (name === undefined) {
      name = this.freeName(preferred_name.replaceAll(/[^\w.-]/g, '_'));
      this.names.set(json, name);
      this.components[name] = part;
    }
    return { $ref: `#/components/${this.section}/${name}` };
  }

  private freeName(preferred: string): string {
    for (let nth = 1; ; nth++) {
      const name = nth === 1 ? preferred : `${preferred}${nth}`;
      if (!Object.hasOwn(this.components, name)) return name;
    }
  }
}

/** Length of JSON that a shared field saves at least. */
const LEAST_SAVING = 100;
/** Length of `{"$ref":"#/components/schemas/…Field"}` without the name of the field. */
const REFERENCE = 40;

/**
 * Moves schemas of fields that occur often into components, which are named after the field. A field's text stays with
 * it, because it is part of what must be equal.
 */
function shareFields(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, object>;
  const counts = new Map<string, number>();
  eachField(schemas, (_, field) => {
    const json = JSON.stringify(field);
    counts.set(json, (counts.get(json) ?? 0) + 1);
  });
  const shared = new Parts('schemas', schemas);
  eachField(schemas, (name, field) => {
    const json = JSON.stringify(field);
    const saving = (counts.get(json)! - 1) * (json.length - REFERENCE - name.length);
    return saving >= LEAST_SAVING ? shared.share(`${pascalCase(name)}Field`, field) : field;
  });
  document.components = { ...document.components, schemas: shared.components as never };
}

type FieldVisitor = (name: string, field: object) => object | void;

/** Calls `visit` for every field of the schemas; what it returns takes the place of the field. */
function eachField(schemas: Record<string, object>, visit: FieldVisitor): void {
  for (const schema of Object.values({ ...schemas })) {
    const { properties } = schema as { properties?: Record<string, object> };
    for (const [name, field] of Object.entries(properties ?? {}))
      properties![name] = visit(name, field) ?? field;
  }
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Moves fields, parameters and responses that occur repeatedly into components. */
export function shareParts(document: OpenAPIObject): void {
  shareFields(document);
  const parameters = new Parts('parameters');
  const responses = new Parts('responses', { ...document.components?.responses });
  const counts = countResponses(document);
  for (const path of pathsOf(document))
    for (const operation of Object.values(path)) {
      if (typeof operation !== 'object' || !('responses' in operation)) continue;
      operation.parameters = operation.parameters?.map(
        (parameter) => parameters.share(parameter.name, parameter) as never,
      );
      for (const [status, response] of Object.entries(operation.responses))
        if (!('$ref' in response) && counts.get(JSON.stringify(response))! > 1)
          operation.responses[status] = responses.share('Answer', response) as never;
    }
  document.components = {
    ...document.components,
    parameters: parameters.components as never,
    responses: responses.components as never,
  };
}

/** The operations of every path and webhook. */
function pathsOf(document: OpenAPIObject): Record<string, Operation>[] {
  const { webhooks = {} } = document as { webhooks?: object };
  return [...Object.values(document.paths), ...Object.values(webhooks)];
}

function countResponses(document: OpenAPIObject): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of pathsOf(document))
    for (const { responses = {} } of Object.values(path))
      for (const response of Object.values(responses)) {
        const json = JSON.stringify(response);
        counts.set(json, (counts.get(json) ?? 0) + 1);
      }
  return counts;
}
