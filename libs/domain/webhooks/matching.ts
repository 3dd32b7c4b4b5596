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

/** Finds who is to be told of an occurrence, each webhook once. */
export type Listeners = (occurrence: Told) => readonly Webhook[];

/** What tells whether a webhook is meant. */
type Told = Pick<Occurrence, 'event' | 'indexes' | 'topic'>;

/**
 * What webhooks are told of an event. Asked with the state just before it, answered by the function
 * returned with the state just after it; `diff` is the event's record. `context` is nobody's: payloads
 * show what everybody may see who may see the record at all.
 */
export function watchEvent(
  context: Context,
  event: Pick<FoldedEvent, 'type' | 'data'>,
  listeners: Listeners,
): (diff: object) => readonly Match[] {
  // Before the event, so that a webhook is not told of its own creation but is of its end.
  const told_of_all = listeners({ event: 'drive.state_diffs', indexes: [WATCHES.state_diffs] });
  const observe = observers[event.type as keyof typeof observers] as Observer<unknown> | undefined;
  const seen = observe?.(context, event.data);
  return (diff) => {
    const all = (seen?.() ?? []).map((occurrence) => ({
      occurrence,
      webhooks: listeners(occurrence),
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
  occurrences: readonly Occurrence[],
  listeners: Listeners,
): readonly Match[] {
  return numbered(
    occurrences.map((occurrence) => ({ occurrence, webhooks: listeners(occurrence) })),
  );
}

/** The active webhooks of a state. */
export function listenersOf(state: DriveState): Listeners {
  return (told) => {
    const found = new Set<Webhook>();
    for (const index of told.indexes)
      for (const webhook of state.webhooks.where('alt_index', index))
        if (webhook.active && listens(webhook, told)) found.add(webhook);
    return [...found];
  };
}

/** One webhook alone, in whatever state. */
export function onlyListener(webhook: Webhook): Listeners {
  return (told) => (listens(webhook, told) ? [webhook] : []);
}

function listens(webhook: Webhook, { event, indexes, topic }: Told): boolean {
  const { alt_index } = webhook;
  return webhook.event === event && indexes.includes(alt_index) && passes(webhook, topic);
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
