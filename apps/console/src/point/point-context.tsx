import { useThrottledCallback } from '@mantine/hooks';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Bookmark, EventTimeline, HistoryItem } from '../api/answers.js';
import type { Drive, Past } from '../api/drive.js';
import { pointBody } from '../api/points.js';
import { readWhole } from '../api/whole-list.js';
import { useDrive } from '../session/session-context.js';
import { useDriveQuery } from '../session/use-drive-query.js';
import { useIsCurrent } from '../shell/links.js';
import { EventSequences } from './event-sequences.js';
import { type EventFilter, isFiltered, queryOf, useEventFilter } from './event-filter.js';
import { useChangeView, useView } from './use-view.js';
import { revisionOf, timeOf } from './view.js';

/** Buckets of the whole history: enough for any screen. */
const BUCKETS = 400;
/** While steps follow each other quickly, pages are shown at most this often. */
const STEP_PAUSE_MS = 300;

/** Keys come quicker than answers while events are read. */
const MOST_WAITING_STEPS = 8;

/** Pages that are shown as the chosen person saw them; `ViewNote` is on the others. */
const SEEN_BY_OTHERS = ['state', 'record'];

/** Where a step leads. */
export type Step = 'first' | 'previous' | 'next' | 'last';

interface PointState extends EventAtPoint {
  /** The point as the API takes it; null: now. During quick steps it is ahead of `past`. */
  readonly at: string | null;
  /** What the page asks for. */
  readonly past: Past;
  /** The whole history without filters; undefined until it is known. */
  readonly overview: EventTimeline | undefined;
  readonly error: unknown;
  readonly bookmarks: readonly Bookmark[];
  /** Shows another point. */
  readonly goTo: (at: string | null) => void;
  /** Goes to another event that matches the filter; false if there is none. */
  readonly step: (step: Step) => Promise<boolean>;
  /** Reads everything again, also of the past: for a history that is not the one that was read. */
  readonly reset: () => void;
}

const PointContext = createContext<PointState | null>(null);

/** The point that all pages of an organization show. */
export function usePoint(): PointState {
  const point = use(PointContext);
  if (!point) throw new Error('PointProvider is missing');
  return point;
}

/** Keeps the point of the address, its event, and the steps from it. */
export function PointProvider({ children }: { readonly children: ReactNode }) {
  const drive = useDrive();
  const { at: at_of_address, as_user } = useView();
  const stepped = useSteppedPoint(at_of_address);
  const { at, goTo } = stepped;
  const { data: overview, error } = useDriveQuery(['timeline', 'overview'], (_, options) =>
    drive.organization.timeline({ buckets: BUCKETS }, options),
  );
  const { data, isPending } = useDriveQuery(
    ['bookmarks'],
    async () => (await readWhole((page) => drive.bookmarks.list(page))).items,
    { enabled: error === null },
  );
  const bookmarks = data ?? NO_BOOKMARKS;
  const sequences = useMemo(() => new EventSequences(drive), [drive]);
  const known_bookmarks = isPending ? undefined : bookmarks;
  const last = useEventAt(sequences, at, overview, known_bookmarks);
  const step = useStep(drive, sequences, overview, last.event, stepped);
  const queries = useQueryClient();
  const reset = useCallback(() => {
    sequences.clear();
    void queries.resetQueries({ queryKey: [drive.drive_id] });
  }, [drive, queries, sequences]);
  const isCurrent = useIsCurrent();
  const viewer = SEEN_BY_OTHERS.some(isCurrent) ? as_user : null;
  const past = useMemo(() => ({ at: at_of_address, as_user: viewer }), [at_of_address, viewer]);
  const state = useMemo(
    () => ({ at, past, ...last, overview, error, bookmarks, goTo, step, reset }),
    [at, past, last, overview, error, bookmarks, goTo, step, reset],
  );
  return <PointContext value={state}>{children}</PointContext>;
}

const NO_BOOKMARKS: readonly Bookmark[] = [];

/**
 * The point, ahead of the address while steps follow each other quickly: the address and the pages follow at the first
 * step, then in pauses.
 */
function useSteppedPoint(at_of_address: string | null) {
  const changeView = useChangeView();
  const [ahead, setAhead] = useState<string | null>(null);
  /** The event that steps have led to, and the point that they last put into the address. */
  const target = useRef<HistoryItem | null>(null);
  const handled = useRef<string | null>(null);
  const showTarget = useThrottledCallback(() => {
    // Null: something else has changed the address since the step.
    if (!target.current) return;
    const at = `r${target.current.revision}`;
    handled.current = at;
    setAhead(null);
    changeView({ at }, { replace: true });
  }, STEP_PAUSE_MS);
  useEffect(() => {
    if (at_of_address === handled.current) return;
    // Something else has changed the address: steps begin there.
    handled.current = at_of_address;
    target.current = null;
    setAhead(null);
  }, [at_of_address]);
  const goTo = useCallback((at: string | null) => changeView({ at }), [changeView]);
  const stepTo = useCallback(
    (event: HistoryItem) => {
      target.current = event;
      setAhead(`r${event.revision}`);
      showTarget();
    },
    [showTarget],
  );
  return { at: ahead ?? at_of_address, goTo, stepTo, target };
}

interface EventAtPoint {
  /** The last event at the point; null until it is known. */
  readonly event: HistoryItem | null;
  /** True while `event` is that of the previous point. */
  readonly is_event_stale: boolean;
  /** What is wrong with the point; null if nothing is known to be. */
  readonly event_error: unknown;
}

/**
 * The last event at a point, or why there is none.
 * @param bookmarks undefined until they are known
 */
function useEventAt(
  sequences: EventSequences,
  at: string | null,
  overview: EventTimeline | undefined,
  bookmarks: readonly Bookmark[] | undefined,
): EventAtPoint {
  const head = overview?.to_revision;
  const all = sequences.of({});
  const bookmark = bookmarks?.find(({ name }) => `@${name}` === at);
  const revision = at === null ? (head ?? null) : (revisionOf(at) ?? bookmark?.revision ?? null);
  const known = revision === null ? undefined : all.known(revision);
  // A revision that does not exist may exist once there are more events.
  const is_outside = revision !== null && head !== undefined && revision > head;
  const { data, error, isPlaceholderData } = useDriveQuery(
    ['event', revision ?? at, ...(is_outside ? [head] : [])],
    async ({ organization }) => {
      if (revision !== null && !is_outside) return all.lastUpTo(revision);
      const to_ms = revision === null ? timeOf(at!) : null;
      // Later times may be in the future: the API knows.
      if (to_ms !== null && to_ms <= overview!.to_ms) {
        const { items } = await organization.history({ to_ms, page_size: 1 });
        if (items[0]) return items[0];
      }
      // Outside of what is known here. The API knows the point, or says what is wrong with it.
      const point = await organization.replay({ ...pointBody(at), hash: false });
      return all.lastUpTo(point.revision);
    },
    {
      enabled:
        head !== undefined &&
        known === undefined &&
        (at === null || !at.startsWith('@') || bookmarks !== undefined),
      placeholderData: keepPreviousData,
      staleTime: Infinity,
    },
  );
  const event = known ?? data ?? null;
  const is_event_stale = known === undefined && isPlaceholderData;
  const event_error = known === undefined ? error : null;
  return useMemo(
    () => ({ event, is_event_stale, event_error }),
    [event, is_event_stale, event_error],
  );
}

function useStep(
  drive: Drive,
  sequences: EventSequences,
  overview: EventTimeline | undefined,
  event: HistoryItem | null,
  { stepTo, target }: ReturnType<typeof useSteppedPoint>,
): PointState['step'] {
  const filter: EventFilter = useEventFilter();
  const queries = useQueryClient();
  const shown = useRef<HistoryItem | null>(null);
  useEffect(() => {
    shown.current = event;
  }, [event]);
  const steps = useMemo(() => new Turns(MOST_WAITING_STEPS), []);
  return useCallback(
    (step) =>
      steps.take(async () => {
        const from = (target.current ?? shown.current)?.revision;
        if (overview === undefined || from === undefined) return false;
        const head = overview.to_revision;
        const query = isFiltered(filter) ? queryOf(filter, overview.types) : {};
        if (query === null) return false;
        const sequence = sequences.of(query);
        const found =
          step === 'next' || step === 'first'
            ? await sequence.firstFrom(step === 'first' ? 0 : from + 1, head)
            : await sequence.lastUpTo(step === 'last' ? head : from - 1);
        if (!found) return false;
        queries.setQueryData([drive.drive_id, 'event', found.revision], found);
        stepTo(found);
        return true;
      }),
    [drive, filter, overview, queries, sequences, steps, stepTo, target],
  );
}

/** Runs tasks one after the other; of too many that wait the later ones are left out. */
class Turns {
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly most: number) {}

  /** False if the task was left out. */
  take(task: () => Promise<boolean>): Promise<boolean> {
    if (this.waiting >= this.most) return Promise.resolve(false);
    this.waiting++;
    const result = this.last.then(task).finally(() => this.waiting--);
    this.last = result.catch(() => {});
    return result;
  }
}
