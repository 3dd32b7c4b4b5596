import type { Page } from '../../api/answers.js';
import type { AnyRecord } from '../../api/records.js';
import { isWhole } from '../../api/whole-list.js';

/**
 * The records of a list that contain a text, and how many they are. If the page does not have all records of the list,
 * it is returned as it is: the others could contain the text, too.
 */
export function matching<P extends Page<AnyRecord>>(page: P, search: string): P {
  if (search === '' || !isWhole(page)) return page;
  const text = search.toLowerCase();
  const items = page.items.filter((record) => contains(record, text));
  return { ...page, items, total: items.length };
}

/** True if a text is part of a value, or of one in it. @param text in lower case */
function contains(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(text);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((part) => contains(part, text));
}
