import type { DriveState } from '../foundation/state.js';
import { forEach, type Steps } from '../kernel/steps.js';

export function* removeGrantsOn(state: DriveState, resource_id: string): Steps {
  const { directory_permissions, system_permissions } = state;
  const has_none =
    directory_permissions.count('resource', resource_id) === 0 &&
    system_permissions.count('resource', resource_id) === 0;
  // Fast path: most resources have no grants, and a large tree may be deleted.
  if (has_none) return;
  yield* removeGrants(state, [
    ...state.directory_permissions.by('resource', resource_id),
    ...state.system_permissions.by('resource', resource_id),
  ]);
}

/** Removes a record, and the grants on it. */
export function* removeRecord(
  state: DriveState,
  table: { remove(id: string): void },
  id: string,
): Steps {
  yield* removeGrantsOn(state, id);
  table.remove(id);
}

export function* removeGrantsTo(state: DriveState, grantee_id: string): Steps {
  yield* removeGrants(state, [
    ...state.directory_permissions.by('grantee', grantee_id),
    ...state.system_permissions.by('grantee', grantee_id),
  ]);
}

/** Removes one grant, and the grants on the grant itself. */
export function removeGrant(state: DriveState, permission_id: string): Steps {
  return removeGrants(state, [permission_id]);
}

/** Removes invites, and the grants on them. */
export function* removeInvites(state: DriveState, invite_ids: readonly string[]): Steps {
  for (const invite_id of invite_ids) {
    yield* removeRecord(state, state.invites, invite_id);
    yield;
  }
}

/** Not recursive: chains of grants on grants may be deeper than the stack, and evolve must not fail. */
function* removeGrants(state: DriveState, ids: string[]): Steps {
  yield* forEach(popped(ids), (id) => {
    state.directory_permissions.remove(id);
    state.system_permissions.remove(id);
    for (const on_it of state.system_permissions.by('resource', id)) ids.push(on_it);
  });
}

/** Takes the last item as long as there are any. */
function* popped<Item>(items: Item[]): Generator<Item> {
  for (let item = items.pop(); item !== undefined; item = items.pop()) yield item;
}
