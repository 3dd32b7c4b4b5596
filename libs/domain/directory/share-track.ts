import type { Context } from '../foundation/decision.js';
import type { GetItem } from './commands.js';
import type { Item } from '../relations/directory-tree.js';

/** The share through which a user reached an item; sent to webhooks on shares. */
export interface ShareTracking {
  readonly id: string;
  /** Hash that the caller may pass on, so that the next share refers to this one. */
  readonly hash: string;
  readonly origin_id?: string;
  readonly origin_hash?: string;
  readonly from_user?: string;
  readonly to_user?: string;
  readonly resource_id: string;
  readonly resource_name: string;
  readonly drive_id: string;
  readonly timestamp_ms: number;
  readonly host_url: string;
}

interface Origin {
  readonly id: string;
  readonly from_user: string;
}

/** Decodes a hash: base64 of `{id, from_user}`; null for any other text. */
export function decodeShareHash(hash: string): Origin | null {
  try {
    const { id, from_user } = JSON.parse(atob(hash)) as Partial<
      Record<'id' | 'from_user', unknown>
    >;
    return typeof id === 'string' && typeof from_user === 'string' ? { id, from_user } : null;
  } catch {
    return null;
  }
}

/** Encodes the hash that passes a share on. */
export function encodeShareHash(origin: Origin): string {
  return btoa(JSON.stringify({ id: origin.id, from_user: origin.from_user }));
}

/** The share tracking of a read; it refers to the earlier share, if there was one. */
export function trackShare(
  { state, settings, caller, now }: Context,
  item: Item,
  { share_track_hash: origin_hash, fresh }: GetItem,
): ShareTracking {
  const origin = origin_hash === undefined ? null : decodeShareHash(origin_hash);
  const { share_track_id: id } = fresh;
  const to_user = caller.user_id;
  return {
    id,
    hash: encodeShareHash({ id, from_user: to_user }),
    ...(origin && { origin_id: origin.id, origin_hash: origin_hash!, from_user: origin.from_user }),
    ...(to_user && { to_user }),
    resource_id: item.id,
    resource_name: item.name,
    drive_id: state.drive_id,
    timestamp_ms: now,
    host_url: settings.host_url,
  };
}
