import type { Combination, MissingRights, Right } from '../foundation/missing-rights.js';
import { type Refusal, type RefusalDetail, refuse } from '../kernel/refusal.js';
import type { DriveState } from '../foundation/state.js';

/** The caller's permissions, which determine the ids that the caller may know. */
interface RightsOf {
  readonly state: DriveState;
  readonly grantee_id: string;
  member(group_id: string): readonly string[] | null;
  systemTypes(id: string): readonly string[];
  directoryTypes(id: string): readonly string[];
}

/**
 * One reason per sufficient alternative. The owner may do everything, so ownership is named only if there is no other
 * way.
 *
 * @param named ids that the request itself names, so that naming them reveals nothing
 */
function reasonsFor(
  access: RightsOf,
  missing: MissingRights,
  named: readonly string[],
): readonly string[] {
  const reasons = new Set<string>();
  const by_right = missing.all.filter((rights) => rights.every(isGranted));
  for (const rights of by_right)
    for (const words of inWords(access, rights, named)) reasons.add(words);
  if (by_right.length === 0 && missing.all.some(([right]) => right?.of === 'organization'))
    reasons.add('ownership of the organization');
  return [...reasons];
}

function isGranted({ of }: Right): boolean {
  return of !== 'organization' && of !== 'oneself';
}

/** A combination as text, for each resource on which it can be granted; none if one must not be named. */
function inWords(access: RightsOf, rights: Combination, named: readonly string[]): string[] {
  let found = [''];
  for (const right of rights) {
    const words = wordsOf(access, right, named);
    found = found.flatMap((left) => words.map((one) => (left ? `${left} and ${one}` : one)));
  }
  return found;
}

function wordsOf(access: RightsOf, right: Right, named: readonly string[]): string[] {
  const isTold = (id: string): boolean => named.includes(id) || mayKnow(access, id);
  if (right.of === 'group')
    return isTold(right.group_id) ? [`administration of ${right.group_id}`] : [];
  if (right.of === 'directory') {
    const { type, resource_id, is_direct } = right;
    if (!isTold(resource_id)) return [];
    return [is_direct ? `${type} placed on ${resource_id} itself` : `${type} on ${resource_id}`];
  }
  if (right.of !== 'system') return [];
  const { type, resource_id } = right;
  const { kinds } = access.state;
  const on_table = `${type} on ${kinds.tableOf(resource_id)}`;
  const is_record = !kinds.isTable(resource_id) && isTold(resource_id);
  return is_record ? [on_table, `${type} on ${resource_id}`] : [on_table];
}

/**
 * Whether the caller may know the id of a record. Depends on permissions only, never on the existence of the record.
 */
function mayKnow(access: RightsOf, id: string): boolean {
  return (
    access.grantee_id === id ||
    access.member(id) !== null ||
    access.systemTypes(id).includes('VIEW') ||
    access.directoryTypes(id).some((type) => type === 'VIEW' || type === 'MANAGE')
  );
}

/** The refusal for missing permissions; `details` name the sufficient ones. */
export function denial(
  access: RightsOf,
  missing: MissingRights,
  named: readonly string[] = [],
): Refusal {
  const details = reasonsFor(access, missing, named).map((reason): RefusalDetail => ({
    pointer: '',
    reason: `${reason} would suffice`,
  }));
  return refuse('forbidden', ...details);
}
