import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_TYPES, type Operation } from './document.js';

/** Components by their JSON text, and their names. */
class Parts {
  readonly components: Record<string, object> = {};
  private readonly names = new Map<string, string>();

  constructor(private readonly section: 'parameters' | 'responses') {}

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

/** Moves parameters and error responses that operations have in common into components. */
export function shareParts(document: OpenAPIObject): void {
  const parameters = new Parts('parameters');
  const responses = new Parts('responses');
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path as Record<string, Operation>)) {
      if (typeof operation !== 'object' || !('responses' in operation)) continue;
      operation.parameters = operation.parameters?.map(
        (parameter) => parameters.share(parameter.name, parameter) as never,
      );
      for (const [status, response] of Object.entries(operation.responses))
        if (ERROR_TYPES in response)
          operation.responses[status] = responses.share(nameOf(status), response) as never;
    }
  document.components = {
    ...document.components,
    parameters: parameters.components as never,
    responses: responses.components as never,
  };
}

/** `NotFound` for 404. */
function nameOf(status: string): string {
  const phrase = STATUS_CODES[status] ?? `Status ${status}`;
  return phrase.replaceAll(/[^A-Za-z0-9]/g, '');
}
