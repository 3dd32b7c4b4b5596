import { type Refusal, type RefusalDetail, refuse } from '../kernel/refusal.js';
import type { DirectoryType, SystemType } from '../permissions/record.js';
import type { Access } from './access.js';
import { isTableId, tableOf } from './resources.js';

/** A right that somebody was asked for and does not have. */
export type Right =
  | { readonly of: 'organization' }
  /** To be the user that a record is about. */
  | { readonly of: 'oneself' }
  | { readonly of: 'group'; readonly group_id: string }
  | { readonly of: 'system'; readonly type: SystemType; readonly resource_id: string }
  | {
      readonly of: 'directory';
      readonly type: DirectoryType;
      readonly resource_id: string;
      /** Only a grant placed on the folder or file itself counts. */
      readonly is_direct: boolean;
    };

/** Rights that are needed together. */
type Combination = readonly Right[];

/** Most combinations remembered: rules are short, and one `Access` may be asked about many records. */
const MOST_REMEMBERED = 16;

/** What an `Access` was asked for in vain: combinations of rights, each of which would have sufficed. */
export class MissingRights {
  private combinations: Combination[] = [];

  add(...combination: Combination): void {
    if (this.combinations.length < MOST_REMEMBERED) this.combinations.push(combination);
  }

  /** Asks two questions of which both must be answered yes, and remembers what lacks for both together. */
  both<T>(one: () => T | null, other: () => T | null): [T, T] | null {
    const before = this.combinations;
    const [first, lacks_first] = this.apart(one);
    const [second, lacks_second] = this.apart(other);
    this.combinations = before;
    if (first !== null && second !== null) return [first, second];
    for (const left of lacks_first) for (const right of lacks_second) this.add(...left, ...right);
    return null;
  }

  /** The answer to a question, and what lacks for it: nothing, if it is yes. */
  private apart<T>(question: () => T | null): [T | null, readonly Combination[]] {
    this.combinations = [];
    const answer = question();
    return [answer, answer === null ? this.combinations : [[]]];
  }

  /**
   * One reason for each way to be let through, for whoever is refused. The owner may do everything, so
   * ownership is named only where nothing else helps.
   *
   * @param named ids that the request itself names, so that nothing is told by naming them
   */
  reasons(access: Access, named: readonly string[]): readonly string[] {
    const reasons = new Set<string>();
    const by_right = this.combinations.filter((rights) => rights.every(isGranted));
    for (const rights of by_right)
      for (const words of inWords(access, rights, named)) reasons.add(words);
    if (by_right.length === 0 && this.combinations.some(([right]) => right?.of === 'organization'))
      reasons.add('ownership of the organization');
    return [...reasons];
  }
}

function isGranted({ of }: Right): boolean {
  return of !== 'organization' && of !== 'oneself';
}

/** A combination in words, for each place that it can be granted on; none if one is not to be named. */
function inWords(access: Access, rights: Combination, named: readonly string[]): string[] {
  let found = [''];
  for (const right of rights) {
    const words = wordsOf(access, right, named);
    found = found.flatMap((left) => words.map((one) => (left ? `${left} and ${one}` : one)));
  }
  return found;
}

function wordsOf(access: Access, right: Right, named: readonly string[]): string[] {
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
  const on_table = `${type} on ${tableOf(resource_id)}`;
  const is_record = !isTableId(resource_id) && isTold(resource_id);
  return is_record ? [on_table, `${type} on ${resource_id}`] : [on_table];
}

/**
 * Whether the id of a record tells the caller nothing new. This rests on rights alone, never on whether
 * there is such a record.
 */
function mayKnow(access: Access, id: string): boolean {
  return (
    access.systemTypes(id).includes('VIEW') ||
    access.directoryTypes(id).some((type) => type === 'VIEW' || type === 'MANAGE')
  );
}

/** The refusal of what rights are missing for; `details` name the ways to be let through. */
export function denial(
  access: Access,
  missing: MissingRights,
  named: readonly string[] = [],
): Refusal {
  const details = missing
    .reasons(access, named)
    .map((reason): RefusalDetail => ({ pointer: '', reason: `${reason} would suffice` }));
  return refuse('forbidden', ...details);
}
