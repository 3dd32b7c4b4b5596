import type { DriveState } from '../foundation/state.js';

interface Swap {
  readonly revision: number;
  readonly old_id: string;
  readonly new_id: string;
}

/**
 * Resolves ids of users across superswaps. A current id stands for the same person in the past, under that person's
 * id at the time; a former id stands for itself.
 */
export class Identities {
  /** Oldest first. */
  private readonly swaps: readonly Swap[];

  /** The swaps known to a state, up to its revision. */
  constructor(state: DriveState) {
    this.swaps = [...state.superswaps.values()]
      .map(({ revision, old_user_id, new_user_id }) => ({
        revision: revision!,
        old_id: old_user_id,
        new_id: new_user_id,
      }))
      .sort((a, b) => a.revision - b.revision);
  }

  /**
   * The id just after `revision` of the user who has this id at the end; `''` for a user whose id was
   * another's then.
   */
  userThen(id: string, revision: number): string {
    let then = id;
    for (let at = this.swaps.length - 1; at >= 0; at--) {
      const swap = this.swaps[at]!;
      if (swap.revision <= revision) break;
      if (swap.new_id === then) then = swap.old_id;
      // The id was replaced and reused after that.
      else if (swap.old_id === then && then !== id) return '';
    }
    return then;
  }

  /** The same for a resource, which may be a contact; it stands for itself if the id was another's. */
  resourceThen(id: string, revision: number): string {
    return this.userThen(id, revision) || id;
  }

  /** All ids that the user may have had who has this id at the end, this one included. */
  everOf(id: string): string[] {
    const ids = new Set([id]);
    for (const { old_id, new_id } of this.swaps.toReversed()) if (ids.has(new_id)) ids.add(old_id);
    return [...ids];
  }

  /** Revisions of the superswaps with one of these ids. */
  revisionsOf(ids: ReadonlySet<string>): number[] {
    return this.swaps
      .filter(({ old_id, new_id }) => ids.has(old_id) || ids.has(new_id))
      .map(({ revision }) => revision);
  }

  /** Ids that users received after `revision`. */
  newSince(revision: number): readonly string[] {
    return this.swaps.filter((swap) => swap.revision > revision).map(({ new_id }) => new_id);
  }

  /** The id at the end of the user who had this id just after `revision`. */
  since(id: string, revision: number): string {
    let since = id;
    for (const swap of this.swaps)
      if (swap.revision > revision && swap.old_id === since) since = swap.new_id;
    return since;
  }
}
