import type { DriveEvents } from '../../foundation/events.js';
import type { FoldedEvent } from '../../foundation/evolver.js';
import type { DriveState } from '../../foundation/state.js';
import type { Context } from '../../foundation/decision.js';
import { parseJsonObject } from '../../kernel/json-object.js';
import { creatorEver, creatorOf, type Creator, CreatorsView } from './creators.js';
import { type Observer, observers } from './observers.js';
import type { Occurrence } from './occurrences.js';
import { type Webhook, WATCHES } from '../record.js';

export interface Match {
  readonly webhook: Webhook;
  readonly occurrence: Occurrence;
  /** Counts the occurrences of one kind within one event, from 0. */
  readonly nth: number;
}

/** The webhooks that may match an occurrence. */
export interface Listeners {
  /** The webhooks on any of these indexes, each once, for any event. */
  on(indexes: readonly string[]): Iterable<Webhook>;
  /** The user whose permissions in the current state apply. */
  creator(webhook: Webhook): Creator;
}

/**
 * Events that may end items some time after they have expired: whoever could see them until then learns of their end,
 * though nobody sees them any more.
 */
const AFTER_EXPIRY: ReadonlySet<string> = new Set<keyof DriveEvents>([
  'ItemsExpired',
  'ItemsDeleted',
]);

/** The members of an occurrence that select webhooks. */
type WebhookSelector = Pick<Occurrence, 'event' | 'indexes' | 'topic'>;

/**
 * The matches of an event. Called with the state just before it; the returned function takes the state just after it.
 * `diff` is the event's record. `context` is anonymous: payloads show what any user with VIEW sees, and are sent only
 * to webhooks whose creator may see the record; the previous state as of just before the event, the new one as of just
 * after.
 */
export function watchEvent(
  context: Context,
  event: Pick<FoldedEvent, 'type' | 'data'>,
  listeners: Listeners,
): (diff: object) => readonly Match[] {
  const { state, now } = context;
  // Before the event, so that a webhook does not match its own creation but does match its deletion.
  const diffs = { event: 'drive.state_diffs', indexes: [WATCHES.state_diffs] } as const;
  const diff_listeners = [...listenersOn(diffs, listeners)];
  const observe = observers[event.type as keyof typeof observers] as Observer<unknown> | undefined;
  const items_at = AFTER_EXPIRY.has(event.type) ? -Infinity : now;
  const view_before = new CreatorsView(state, now, listeners.creator, items_at);
  const seen = observe?.(context, event.data, (item_id, indexes) => {
    const seeing = new Set<string>();
    for (const webhook of listeners.on(indexes))
      if (view_before.shows(webhook, item_id)) seeing.add(webhook.id);
    return seeing;
  });
  return (diff) => {
    const all: Candidate[] = (seen?.() ?? []).map((occurrence) => ({
      occurrence,
      webhooks: listenersOn(occurrence, listeners),
    }));
    const after = { type: 'state_diffs', data: diff } as const;
    all.push({ occurrence: { ...diffs, after }, webhooks: diff_listeners });
    return matched(all, new CreatorsView(state, now, listeners.creator));
  };
}

/** Matches of an occurrence that is not an event, such as a view of an item. */
export function watchNotices(
  { state, now }: Context,
  occurrences: readonly Occurrence[],
  listeners: Listeners,
): readonly Match[] {
  const all = occurrences.map((occurrence) => ({
    occurrence,
    webhooks: listenersOn(occurrence, listeners),
  }));
  return matched(all, new CreatorsView(state, now, listeners.creator));
}

/** The active webhooks of a state. */
export function listenersOf(state: DriveState): Listeners {
  return {
    on(indexes) {
      const found = new Set<Webhook>();
      for (const index of indexes)
        for (const webhook of state.webhooks.where('alt_index', index))
          if (webhook.active) found.add(webhook);
      return found;
    },
    // The webhook may have been superswapped or taken over since it was found.
    creator: (webhook) => [creatorOf(state, state.webhooks.get(webhook.id) ?? webhook)],
  };
}

/** A single webhook, in any state. @param present the current state */
export function onlyListener(present: DriveState, webhook: Webhook): Listeners {
  const creator = creatorEver(present, webhook);
  return {
    on: (indexes) => (indexes.includes(webhook.alt_index) ? [webhook] : []),
    creator: () => creator,
  };
}

function* listenersOn(selector: WebhookSelector, listeners: Listeners): Generator<Webhook> {
  for (const webhook of listeners.on(selector.indexes))
    if (listens(webhook, selector)) yield webhook;
}

function listens(webhook: Webhook, { event, topic }: WebhookSelector): boolean {
  return webhook.event === event && passes(webhook, topic);
}

/** Filters may require a topic: without one everything passes, otherwise only that topic. */
function passes({ filters }: Webhook, topic: string | null | undefined): boolean {
  if (topic === undefined || filters === '') return true;
  return topic !== null && parseJsonObject(filters)?.topic === topic;
}

interface Candidate {
  readonly occurrence: Occurrence;
  readonly webhooks: Iterable<Webhook>;
}

/** The matches of each webhook, numbered over all occurrences, so that a number does not depend on permissions. */
function matched(all: readonly Candidate[], view: CreatorsView): readonly Match[] {
  const counts = new Map<string, number>();
  const matches: Match[] = [];
  for (const { occurrence, webhooks } of all) {
    const nth = counts.get(occurrence.event) ?? 0;
    counts.set(occurrence.event, nth + 1);
    const { before: _, ...without_before } = occurrence;
    for (const webhook of webhooks) {
      const shown = partShownTo(occurrence, webhook, view);
      if (shown === 'all') matches.push({ webhook, occurrence, nth });
      if (shown === 'after') matches.push({ webhook, occurrence: without_before, nth });
    }
  }
  return matches;
}

/** The part of an occurrence that the webhook's creator may see; null for none. */
function partShownTo(
  { item_id, before, after, before_to }: Occurrence,
  webhook: Webhook,
  view: CreatorsView,
): 'all' | 'after' | null {
  const sees_before = before_to?.has(webhook.id) ?? true;
  if (!after && before_to) return sees_before ? 'all' : null;
  if (!view.shows(webhook, item_id)) return null;
  return !before || sees_before ? 'all' : 'after';
}
