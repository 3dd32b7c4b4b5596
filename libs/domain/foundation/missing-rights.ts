import type { DirectoryType, SystemType } from '../kernel/permission-types.js';

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
export type Combination = readonly Right[];

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

  /** The combinations found missing so far. */
  get all(): readonly Combination[] {
    return this.combinations;
  }
}
