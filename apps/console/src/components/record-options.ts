import type { ComboboxItem } from '@mantine/core';
import { kindOf } from '../api/records.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';

interface Found {
  readonly resource_id: string;
  readonly title: string;
}

interface Chosen {
  readonly id: string;
  readonly name: string;
}

/**
 * Options of a choice among records: the chosen one under its name, an id that was typed, what the search found, and
 * tables. The label of the chosen one must not change: the field shows it, and a label in the field is a new search.
 */
export function recordOptions(
  chosen: Chosen | null,
  query: string,
  found: readonly Found[],
): ComboboxItem[] {
  const labels = new Map<string, string>();
  if (chosen) labels.set(chosen.id, chosen.name);
  const add = (id: string, label: string): void => {
    if (id !== chosen?.id) labels.set(id, visibleText(label));
  };
  if (kindOf(query)) add(query, query);
  for (const { resource_id, title } of found) add(resource_id, titleOf(resource_id, title));
  for (const [table, title] of Object.entries(texts.ids))
    if (table !== 'PUBLIC' && title.toLowerCase().includes(query.toLowerCase())) add(table, title);
  return [...labels].map(([value, label]) => ({ value, label }));
}

/** Records of one name are told apart by their kind. */
function titleOf(id: string, title: string): string {
  const family = kindOf(id)?.family;
  const kind = (texts.kinds as Readonly<Record<string, string>>)[family ?? ''];
  return kind ? `${title} (${kind})` : title;
}
