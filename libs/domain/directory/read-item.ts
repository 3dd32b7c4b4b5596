import { Access } from '../access/access.js';
import { accept, type Decider } from '../drive/decision.js';
import { isRefusal } from '../kernel/refusal.js';
import type { GetItem } from './commands.js';
import { findItem } from './find.js';
import type { ItemKind } from './names.js';
import { holds } from './rights.js';

/** Reads run among the other actions of a request, so that they see what those did; they make no event. */
export function getItem(kind: ItemKind): Decider<GetItem> {
  return (context, { id }) => {
    const item = findItem(context, kind, id);
    if (isRefusal(item)) return item;
    const access = Access.of(context);
    const allowed = holds(access, 'VIEW', item.id);
    return allowed ? accept(allowed) : access.denied(item.id);
  };
}
