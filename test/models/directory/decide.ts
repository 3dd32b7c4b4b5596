import type { Decision } from './decision.js';
import { type Action, payloadOf } from './inputs.js';
import type { Kind } from './names.js';
import { read, remove, restore } from './removal.js';
import { copy, move } from './transfer.js';
import type { Caller, Tree } from './tree.js';
import { create, update } from './writing.js';

/** Decides an action of directory.md section 4. Order of checks: README section 2 (400, 404, 403, then conflicts). */
export function decide(tree: Tree, caller: Caller, action: Action): Decision {
  const payload = payloadOf(action);
  const [verb, noun] = action.action.split('_') as [string, string];
  const kind: Kind = noun === 'FILE' ? 'file' : 'folder';
  if (verb === 'CREATE') return create(tree, caller, kind, payload);
  if (verb === 'UPDATE') return update(tree, caller, kind, payload);
  if (verb === 'DELETE') return remove(tree, caller, kind, payload);
  if (verb === 'COPY') return copy(tree, caller, kind, payload);
  if (verb === 'MOVE') return move(tree, caller, kind, payload);
  if (verb === 'RESTORE') return restore(tree, caller, payload);
  return read(tree, caller, kind, payload);
}
