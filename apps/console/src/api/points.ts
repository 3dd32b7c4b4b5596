import { revisionOf, timeOf } from '../point/view.js';

/** A point as bodies of requests take it. */
interface PointBody {
  readonly revision?: number;
  readonly at_ms?: number;
  readonly at?: string;
}

/** @param at a point of an address; null: now */
export function pointBody(at: string | null): PointBody {
  if (at === null) return {};
  const revision = revisionOf(at);
  if (revision !== null) return { revision };
  const at_ms = timeOf(at);
  return at_ms === null ? { at } : { at_ms };
}
