import type { Context } from '../drive/decision.js';
import type { FoldedEvent } from '../drive/evolve.js';
import type { DriveState } from '../drive/state.js';
import { parseFilters } from './filters.js';
import { type Observer, observers } from './observers.js';
import type { Occurrence } from './occurrences.js';
import { type Webhook, WATCHES } from './record.js';

/** One occurrence that one webhook is to be told. */
export interface Match {
  readonly webhook: Webhook;
  readonly occurrence: Occurrence;
  /** Counts the occurrences of one kind within one event, from 0. */
  readonly nth: number;
}

/**
 * What webhooks are told of an event. Asked with the state just before it, answered by the function
 * returned with the state just after it; `diff` is the event's record. `context` is nobody's: payloads
 * show what everybody may see who may see the record at all.
 */
export function watchEvent(
  context: Context,
  event: Pick<FoldedEvent, 'type' | 'data'>,
): (diff: object) => readonly Match[] {
  const { state } = context;
  if (state.webhooks.size === 0) return () => [];
  // Before the event, so that a webhook is not told of its own creation but is of its end.
  const told_of_all = listening(state, {
    event: 'drive.state_diffs',
    indexes: [WATCHES.state_diffs],
  });
  const observe = observers[event.type as keyof typeof observers] as Observer<unknown> | undefined;
  const seen = observe?.(context, event.data);
  return (diff) => {
    const all = (seen?.() ?? []).map((occurrence) => ({
      occurrence,
      webhooks: listening(state, occurrence),
    }));
    all.push({
      occurrence: {
        event: 'drive.state_diffs',
        indexes: [WATCHES.state_diffs],
        after: { type: 'state_diffs', data: diff },
      },
      webhooks: told_of_all,
    });
    return numbered(all);
  };
}

/** What webhooks are told of something that is no event, such as that an item was looked at. */
export function watchNotices(
  state: DriveState,
  occurrences: readonly Occurrence[],
): readonly Match[] {
  return numbered(
    occurrences.map((occurrence) => ({ occurrence, webhooks: listening(state, occurrence) })),
  );
}

/** The active webhooks that an occurrence is for, each once however many of its indexes match. */
export function listening(
  state: DriveState,
  { event, indexes, topic }: Pick<Occurrence, 'event' | 'indexes' | 'topic'>,
): readonly Webhook[] {
  const found = new Set<Webhook>();
  for (const index of indexes)
    for (const webhook of state.webhooks.where('alt_index', index))
      if (webhook.active && webhook.event === event && passes(webhook, topic)) found.add(webhook);
  return [...found];
}

/** Filters ask for a topic: without any, everything passes; with some, that topic alone. */
function passes({ filters }: Webhook, topic: string | null | undefined): boolean {
  if (topic === undefined || filters === '') return true;
  return topic !== null && parseFilters(filters)?.topic === topic;
}

function numbered(
  all: readonly { occurrence: Occurrence; webhooks: readonly Webhook[] }[],
): readonly Match[] {
  const counts = new Map<string, number>();
  const matches: Match[] = [];
  for (const { occurrence, webhooks } of all) {
    const nth = counts.get(occurrence.event) ?? 0;
    counts.set(occurrence.event, nth + 1);
    for (const webhook of webhooks) matches.push({ webhook, occurrence, nth });
  }
  return matches;
}
