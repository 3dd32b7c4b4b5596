import type { DomainEvent } from '../../foundation/events.js';
import { Access, type Evidence } from '../../access/access.js';
import type { Context } from '../../foundation/decision.js';
import { type Refusal } from '../../kernel/refusal.js';
import type { ConflictResolution } from '../commands.js';
import { trashed } from '../changes/delete.js';
import { refuseTooMany } from './count.js';
import { freeName } from './names.js';
import { mayDelete } from './rights.js';
import { type Item, itemNamed, kindOf } from '../../relations/directory-tree.js';

/** An item's name in the folder and the sibling that it replaces; or the existing sibling that is kept. */
type Arrival =
  | {
      readonly name: string;
      readonly before: readonly DomainEvent[];
      /** With what let the sibling be replaced. */
      readonly allowed: Evidence;
    }
  | { readonly keeps: Item };

/**
 * Resolves a name conflict for an item that is copied, moved or restored into a folder.
 * @param name its intended name
 * @param allowed what lets it be put there
 */
export function arrive(
  context: Context,
  item: Item,
  folder_id: string,
  name: string,
  policy: ConflictResolution = 'KEEP_BOTH',
  allowed: Evidence,
): Arrival | Refusal {
  const { state, now } = context;
  const kind = kindOf(item);
  const existing = itemNamed(state, kind, folder_id, name, now);
  if (!existing) return { name, before: [], allowed };
  if (policy === 'KEEP_BOTH')
    return { name: freeName(state, kind, folder_id, name, now), before: [], allowed };
  // An item cannot replace itself.
  if (policy === 'KEEP_ORIGINAL' || existing.id === item.id) return { keeps: existing };
  const is_newer = item.last_updated_date_ms > existing.last_updated_date_ms;
  if (policy === 'KEEP_NEWER' && !is_newer) return { keeps: existing };
  const access = Access.of(context);
  const both = access.both(
    () => allowed,
    () => mayDelete(access, existing),
  );
  if (!both) return access.denied();
  // The trash must not hold what no command could restore.
  const too_many = refuseTooMany(context, existing, 'replaces an item that ');
  if (too_many) return too_many;
  return { name, before: [trashed(context, existing)], allowed: both };
}
