import type { DirectoryType, SystemType } from '../kernel/permission-types.js';

/** A permission that a check required and the identity lacks. */
export type Right =
  | { readonly of: 'organization' }
  /** Being the user whom a record concerns. */
  | { readonly of: 'oneself' }
  | { readonly of: 'group'; readonly group_id: string }
  | { readonly of: 'system'; readonly type: SystemType; readonly resource_id: string }
  | {
      readonly of: 'directory';
      readonly type: DirectoryType;
      readonly resource_id: string;
      /** Only a grant on the folder or file itself applies. */
      readonly is_direct: boolean;
    };

/** Permissions required together. */
export type Combination = readonly Right[];

/** Maximum recorded combinations: rules are short, and one `Access` may be checked for many records. */
const MOST_REMEMBERED = 16;

/** Failed checks of an `Access`: combinations of permissions, each of which would have sufficed. */
export class MissingRights {
  private combinations: Combination[] = [];

  add(...combination: Combination): void {
    if (this.combinations.length < MOST_REMEMBERED) this.combinations.push(combination);
  }

  /** Runs two checks that must both succeed, and records the permissions missing for both together. */
  both<T>(one: () => T | null, other: () => T | null): [T, T] | null {
    const before = this.combinations;
    const [first, lacks_first] = this.apart(one);
    const [second, lacks_second] = this.apart(other);
    this.combinations = before;
    if (first !== null && second !== null) return [first, second];
    for (const left of lacks_first) for (const right of lacks_second) this.add(...left, ...right);
    return null;
  }

  /** The result of a check, and the permissions that it lacks: none if it succeeds. */
  private apart<T>(question: () => T | null): [T | null, readonly Combination[]] {
    this.combinations = [];
    const answer = question();
    return [answer, answer === null ? this.combinations : [[]]];
  }

  get all(): readonly Combination[] {
    return this.combinations;
  }
}
