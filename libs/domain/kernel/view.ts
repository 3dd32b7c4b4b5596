/**
 * Declares the content of an answer once. The TypeScript type and the OpenAPI component are both derived from the view,
 * and tests check every answer against the OpenAPI document.
 *
 * @example
 *   export const groupView = view('Group', { id: text(), avatar: nullable(text()), labels: listOf(text()) });
 *   export type GroupView = Shown<typeof groupView>;
 */

/** A JSON Schema of OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** One value of an answer: its schema, and its TypeScript type. */
export interface Shape<T = unknown> {
  readonly schema: Schema;
  /** The views that the schema refers to, at any depth. */
  readonly views: readonly View[];
  /** Never set: carries the type. */
  readonly shown?: T;
}

/** A member that may be absent. */
interface Optional<T> extends Shape<T> {
  readonly is_optional: true;
}

type Members = Readonly<Record<string, Shape>>;

/** An object of an answer; its schema is a component of the document. */
export interface View<M extends Members = Members> extends Shape<ShownMembers<M>> {
  readonly name: string;
  readonly members: M;
  readonly component: Schema;
}

type OptionalName<M> = { [N in keyof M]: M[N] extends Optional<unknown> ? N : never }[keyof M];
type Flat<T> = { [N in keyof T]: T[N] };
type ShownMembers<M extends Members> = Flat<
  { [N in Exclude<keyof M, OptionalName<M>>]: Shown<M[N]> } & {
    [N in OptionalName<M>]?: Shown<M[N]>;
  }
>;

/** The TypeScript type of a shape's values. */
export type Shown<S> = S extends { readonly shown?: infer T } ? T : never;

/** A description, optionally with an example. */
type Notes = string | { readonly description?: string; readonly example?: unknown };

const noted = (notes: Notes): Schema =>
  typeof notes === 'string' ? { description: notes } : { ...notes };

const shape = <T>(schema: Schema, notes: Notes = {}): Shape<T> => ({
  schema: { ...schema, ...noted(notes) },
  views: [],
});

export const text = <T extends string = string>(notes?: Notes): Shape<T> =>
  shape({ type: 'string' }, notes);

/** Milliseconds since epoch, or a count. */
export const integer = (notes?: Notes): Shape<number> => shape({ type: 'integer' }, notes);

export const number = (notes?: Notes): Shape<number> => shape({ type: 'number' }, notes);

export const flag = <T extends boolean = boolean>(notes?: Notes): Shape<T> =>
  shape({ type: 'boolean' }, notes);

/** One of a fixed set of words. */
export const oneOf = <const T extends string>(words: readonly T[], notes?: Notes): Shape<T> =>
  shape({ type: 'string', enum: words }, notes);

/** An object whose members the OpenAPI document does not list. */
export const object = <T = Record<string, unknown>>(notes?: Notes): Shape<T> =>
  shape({ type: 'object', additionalProperties: true }, notes);

/** Always null, described as a text that may be null: some generators of clients know no type of null alone. */
export const nothing = (notes?: Notes): Shape<null> => shape({ type: ['string', 'null'] }, notes);

/** Any JSON value. */
export const anything: Shape = shape({});

export function listOf<T>({ schema, views }: Shape<T>, notes?: Notes): Shape<readonly T[]> {
  return { ...shape({ type: 'array', items: schema }, notes), views };
}

/** An object used as a map from words to values. */
export function mapOf<T>({ schema, views }: Shape<T>, notes?: Notes): Shape<Record<string, T>> {
  return { ...shape({ type: 'object', additionalProperties: schema }, notes), views };
}

/** A value of at least one of these shapes. */
export function either(...shapes: readonly Shape[]): Shape {
  const views = shapes.flatMap((one) => one.views);
  return { ...shape({ anyOf: shapes.map(({ schema }) => schema) }), views };
}

export function nullable<T>({ schema, views }: Shape<T>, notes?: Notes): Shape<T | null> {
  // Any value may be null.
  if (Object.keys(schema).length === 0) return shape({}, notes);
  const { type } = schema;
  const words = schema.enum as readonly string[] | undefined;
  const wide =
    typeof type === 'string'
      ? { ...schema, type: [type, 'null'], ...(words && { enum: [...words, null] }) }
      : { anyOf: [schema, { type: 'null' }] };
  return { ...shape(wide, notes), views };
}

/** The same shape with a description. */
export function described<T>({ schema, views }: Shape<T>, notes: Notes): Shape<T> {
  return { ...shape('$ref' in schema ? { allOf: [schema] } : schema, notes), views };
}

/** A member that may be absent. */
export function optional<T>(of: Shape<T>, notes?: Notes): Optional<T> {
  return { ...(notes === undefined ? of : described(of, notes)), is_optional: true };
}

/** An object without its own component in the document. */
export function inline<const M extends Members>(members: M): Shape<ShownMembers<M>> {
  const all = Object.entries(members);
  const required = all.filter(([, member]) => !('is_optional' in member)).map(([name]) => name);
  const schema = {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(all.map(([name, member]) => [name, member.schema])),
  };
  return { schema, views: all.flatMap(([, member]) => member.views) };
}

/** Declares a view. @param name of the component in the OpenAPI document */
export function view<const M extends Members>(name: string, members: M): View<M> {
  return declare(name, members, inline(members));
}

/** Declares a view with all members of another one, to whose component its own refers. */
export function extended<const Base extends Members, const M extends Members>(
  name: string,
  base: View<Base>,
  members: M,
): View<Base & M> {
  const own = inline(members);
  const component = { allOf: [base.schema, own.schema] };
  const content = { schema: component, views: [...base.views, ...own.views] };
  return declare(name, { ...base.members, ...members }, content);
}

function declare<M extends Members>(
  name: string,
  members: M,
  { schema: component, views }: Shape,
): View<M> {
  const schema = { $ref: `#/components/schemas/${name}` };
  const all: View[] = [...views];
  const declared: View<M> = { name, members, component, schema, views: all };
  all.push(declared);
  return declared;
}
