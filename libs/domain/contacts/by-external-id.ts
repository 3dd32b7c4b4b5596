import type { Context } from '../foundation/decision.js';
import { OpenedIndex } from '../kernel/indexes/opened-index.js';
import type { Opener } from '../kernel/sealed.js';
import type { Table } from '../kernel/table.js';
import type { Contact } from './record.js';

/** Indexes by opener and table; garbage-collected together with either. */
const indexes = new WeakMap<Opener, WeakMap<Table<Contact>, OpenedIndex<Contact>>>();

/**
 * Finds contacts by a sealed external id. External ids stored in clear by earlier releases are in the table's index.
 */
export function sealedExternalIds({
  state: { contacts },
  open,
}: Pick<Context, 'state' | 'open'>): OpenedIndex<Contact> {
  let of_opener = indexes.get(open);
  if (!of_opener) indexes.set(open, (of_opener = new WeakMap()));
  let index = of_opener.get(contacts);
  if (!index) of_opener.set(contacts, (index = new OpenedIndex(contacts, 'external_id', open)));
  return index;
}
