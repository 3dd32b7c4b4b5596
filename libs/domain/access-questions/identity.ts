import type { DriveState, Records } from '../foundation/state.js';
import { contactWith } from '../relations/former-ids.js';

interface Swap {
  readonly revision: number;
  readonly old_id: string;
  readonly new_id: string;
  /** Ids of the contact that has the new id now, if the swapped contact was deleted before; else none. */
  readonly successor_ids: readonly string[];
}

/**
 * Resolves ids of users across superswaps. A current id stands for the same person in the past, under that person's
 * id at the time; a former id stands for itself. A contact does not have the former ids of a deleted contact whose id
 * it uses again.
 */
export class Identities {
  /** Oldest first. */
  private readonly swaps: readonly Swap[];

  /** The swaps known to a state, up to its revision. */
  constructor(state: DriveState) {
    this.swaps = [...state.superswaps.values()]
      .map((swap) => ({
        revision: swap.revision!,
        old_id: swap.old_user_id,
        new_id: swap.new_user_id,
        successor_ids: successorIds(state, swap),
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
      if (swap.successor_ids.includes(id)) continue;
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
    for (const { old_id, new_id, successor_ids } of this.swaps.toReversed())
      if (ids.has(new_id) && !successor_ids.includes(id)) ids.add(old_id);
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

  /** The id at the end of the user who had this id just after `revision`; the last one not used by another since. */
  since(id: string, revision: number): string {
    const followed: Swap[] = [];
    let since = id;
    for (const swap of this.swaps)
      if (swap.revision > revision && swap.old_id === since) {
        followed.push(swap);
        since = swap.new_id;
      }
    return followed.find(({ successor_ids }) => successor_ids.includes(since))?.old_id ?? since;
  }
}

function successorIds(state: DriveState, swap: Records['superswaps']): readonly string[] {
  const { old_user_id, new_user_id, created_at } = swap;
  const contact = contactWith(state, new_user_id);
  if (!contact) return [];
  const ids = [contact.id, ...contact.past_user_ids];
  if (ids.includes(old_user_id) && created_at >= contact.created_at) return [];
  // Without a deleted contact that had both ids, the swapped user had no contact before.
  for (const { user_ids } of state.subjects.deletedOf(old_user_id))
    if (user_ids.includes(new_user_id)) return ids;
  return [];
}
