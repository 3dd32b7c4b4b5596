/** An OpenAPI document whose operations may refer to shared parameters and responses. */
interface Shared {
  readonly paths: object;
  readonly components?: object;
}

/** The document with shared parameters and responses put in the place of references to them. */
export function resolved<D extends Shared>(document: D): D {
  const resolve = (part: unknown): unknown => {
    const { $ref: reference } = part as { $ref?: string };
    if (reference === undefined) return part;
    return reference
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
  };
  const paths = structuredClone(document.paths) as Record<string, Record<string, any>>;
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    if (operation.parameters) operation.parameters = operation.parameters.map(resolve);
    for (const [status, response] of Object.entries(operation.responses))
      operation.responses[status] = resolve(response);
  }
  return { ...document, paths };
}
