import type { Context } from '../foundation/decision.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
import { presentLink, type ShortlinkView } from './view.js';

/** The target of a short link; every caller may follow one. */
export function resolveShortlink(context: Context, slug: string): ShortlinkView | Refusal {
  const link = context.state.shortlinks.get(slug);
  return link ? presentLink(context, link) : refuse('shortlink-not-found');
}
