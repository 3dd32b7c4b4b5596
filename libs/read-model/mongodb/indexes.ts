import type { FamilySchema } from '../port.js';

export interface Index {
  readonly name: string;
  readonly key: Record<string, 1>;
}

/**
 * The indexes of one family's collection, beside that of `_id`. docs/read-model-mongodb.md lists the queries that use
 * each. An index with other keys needs another name.
 */
export function indexesOf(schema: FamilySchema): Index[] {
  const indexes: Index[] = [
    { name: 'list', key: scoped('created_at', '_id', 'filter_text') },
    { name: 'filter', key: scoped('filter_trigrams') },
    { name: 'step', key: scoped('step') },
    ...Object.keys(schema.fields).map((field) => ({
      name: `field_${field}`,
      key: scoped(`fields.${field}`, 'created_at', '_id'),
    })),
  ];
  if (schema.search !== undefined) {
    const ordered = ['search.title', 'search.updated_at', 'search.title_key', 'search.digest'];
    indexes.push(
      { name: 'search', key: scoped('search.text', ...ordered, 'created_at', '_id') },
      { name: 'search_trigrams', key: scoped('search.trigrams') },
    );
  }
  return indexes;
}

function scoped(...paths: readonly string[]): Record<string, 1> {
  return Object.fromEntries(['drive_id', 'build', ...paths].map((path) => [path, 1]));
}
