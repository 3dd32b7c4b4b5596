import type { ComboboxItem } from '@mantine/core';
import { visibleText } from '../visible-text.js';

interface Person {
  readonly id: string;
  readonly name: string;
}

/**
 * Options of a choice among people: the chosen one under its name, and what the search found. People of the same name
 * are told apart by the end of their ids, but for the chosen one: the field shows its label, and a label that changes
 * would be a new search.
 */
export function personOptions(chosen: Person | null, found: readonly Person[]): ComboboxItem[] {
  const names = new Map<string, string>();
  if (chosen) names.set(chosen.id, chosen.name);
  for (const { id, name } of found) if (id !== chosen?.id) names.set(id, visibleText(name));
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...names].map(([value, name]) => {
    const is_unique = value === chosen?.id || counts.get(name) === 1;
    return { value, label: is_unique ? name : `${name} (…${value.slice(-6)})` };
  });
}
