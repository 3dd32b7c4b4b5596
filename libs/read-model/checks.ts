import type {
  Clause,
  ListQuery,
  PageRequest,
  Position,
  Projection,
  ReadModelSchema,
  SearchQuery,
  Visibility,
} from './port.js';

/** Checks of the port's preconditions. Every adapter runs them first; a violation is a bug, so it throws. */

/** A family, field or kind of search that the schema does not have. */
class UnknownToSchema extends Error {
  override readonly name = 'UnknownToSchema';
}

/** Throws UnknownToSchema if a family declares the field `id`. */
export function checkSchema(schema: ReadModelSchema): void {
  for (const [family, { fields }] of Object.entries(schema)) {
    if (Object.hasOwn(fields, 'id')) {
      throw new UnknownToSchema(`family '${family}' declares 'id', which is always a field`);
    }
  }
}

/** Throws if the generation is the active one: it cannot be filled. */
export function refuseActive(active: string | null, generation: string): void {
  if (active === generation) throw new Error(`generation '${generation}' is active`);
}

/** Throws UnknownToSchema for a family that the schema does not name. */
export function checkFamily(schema: ReadModelSchema, family: string): void {
  if (!Object.hasOwn(schema, family)) throw new UnknownToSchema(`no family '${family}'`);
}

/** Throws UnknownToSchema or RangeError. */
export function checkListQuery(schema: ReadModelSchema, query: ListQuery): void {
  checkFamily(schema, query.family);
  checkPage(query, 'number');
  checkClauses(schema, query.family, query.where ?? []);
  checkClauses(schema, query.family, query.filter?.or ?? []);
  checkVisibility(schema, query.family, query.visible);
}

/** Throws UnknownToSchema or RangeError. */
export function checkSearchQuery(schema: ReadModelSchema, query: SearchQuery): void {
  if (query.text === '') throw new RangeError('a search needs a text');
  checkPage(query, query.order === 'ALPHABETICAL' ? 'string' : 'number');
  if (new Set(query.families.map(({ family }) => family)).size < query.families.length) {
    throw new RangeError('a family is searched once');
  }
  for (const { family, visible, or = [], instead } of query.families) {
    checkFamily(schema, family);
    checkClauses(schema, family, instead ? [...or, instead] : or);
    if (schema[family]?.search === undefined) {
      throw new UnknownToSchema(`family '${family}' is not searched`);
    }
    checkVisibility(schema, family, visible);
  }
}

/** Throws RangeError. */
export function checkProjection({ from_revision, revision }: Projection): void {
  if (revision <= from_revision)
    throw new RangeError(`a step leads forward, not from ${from_revision} to ${revision}`);
}

function checkPage(request: PageRequest, key_type: 'number' | 'string'): void {
  if (!Number.isInteger(request.page_size) || request.page_size < 1) {
    throw new RangeError(`page_size must be a whole number from 1, not ${request.page_size}`);
  }
  checkPosition(request.after, key_type);
  checkPosition(request.before, key_type);
}

function checkPosition(position: Position | undefined, key_type: 'number' | 'string'): void {
  if (position !== undefined && typeof position.key !== key_type) {
    throw new RangeError(`a position of this order has a ${key_type} as key`);
  }
}

function checkVisibility(schema: ReadModelSchema, family: string, visible: Visibility): void {
  if (visible !== 'all') checkClauses(schema, family, visible);
}

function checkClauses(schema: ReadModelSchema, family: string, clauses: readonly Clause[]): void {
  const fields = schema[family]?.fields ?? {};
  for (const { field } of clauses) {
    if (field !== 'id' && !Object.hasOwn(fields, field)) {
      throw new UnknownToSchema(`family '${family}' has no field '${field}'`);
    }
  }
}
