import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Drive } from '../api/drive.js';
import { describeError } from '../api/errors.js';
import {
  ConnectionError,
  type FeedEvent,
  type FeedOptions,
  isDriveError,
} from '../../../../libs/client/src/index.js';
import { useDrive } from '../session/session-context.js';
import { useSessions } from '../session/sessions-context.js';
import { texts } from '../texts.js';
import { usePoint } from './point-context.js';
import { READ_NOW_EVERY_MS, readAgain, useReadsAgain } from './use-reads-again.js';
import styles from './point-bar.module.css';

/** Least time between two refreshes of the pages. */
const REFRESH_MS = 500;

/** Types of events after which also answers about the past differ: personal data or content is gone. */
const CHANGES_OF_THE_PAST: ReadonlySet<string> = new Set([
  ...['ContactErased', 'ContentsDeleted', 'VersionsReleased'],
]);

type LiveState = 'connecting' | 'connected' | 'lost';

/** Says whether new events arrive. Pages that show the present follow them. */
export function LiveMark() {
  const drive = useDrive();
  const { overview } = usePoint();
  // The feed begins where the history read so far ends.
  const [from, setFrom] = useState<number | null>(null);
  const head = overview?.to_revision;
  if (from === null && head !== undefined) setFrom(head);
  return from === null ? null : <Feed key={drive.drive_id} drive={drive} from={from} />;
}

/** An event that was read; the hash is null until it is known. */
interface LastEvent {
  readonly revision: number;
  readonly hash: string | null;
}

function Feed({ drive, from }: { readonly drive: Drive; readonly from: number }) {
  const [state, setState] = useState<LiveState>('connecting');
  const is_online = useSyncExternalStore(onNetworkChange, () => navigator.onLine);
  // Browsers open few connections to a host: hidden pages leave theirs to others.
  const is_visible = useSyncExternalStore(
    onVisibilityChange,
    () => document.visibilityState === 'visible',
  );
  const last = useRef<LastEvent>({ revision: from, hash: null });
  const queries = useQueryClient();
  const { reset } = usePoint();
  const { expire } = useSessions();
  useEffect(() => {
    // Browsers keep a silent connection for a while.
    if (!is_online || !is_visible) return;
    const ending = new AbortController();
    let pause: ReturnType<typeof setTimeout> | undefined;
    let is_past_changed = false;
    const refresh = throttled(REFRESH_MS, () => {
      if (is_past_changed) reset();
      else void readAgain(queries, drive.drive_id);
      is_past_changed = false;
    });
    const options: FeedOptions = {
      signal: ending.signal,
      on_state: (next) => {
        setState(next);
        if (next === 'connected') void compareLast(drive, last, reset);
      },
    };
    const afterLast = (): FeedOptions => ({ from: last.current.revision });
    const listen = (after: FeedOptions): Promise<void> =>
      follow(drive, { ...options, ...after }, ({ type, revision, hash }) => {
        last.current = { revision, hash };
        is_past_changed ||= CHANGES_OF_THE_PAST.has(type);
        refresh();
      }).catch((error: unknown) => {
        // Events that the page shows have been lost.
        if (isDriveError(error, 'feed.beyond-last-event')) {
          reset();
          return listen({});
        }
        // The page may have been left: then nobody sees the state.
        setState('lost');
        if (ending.signal.aborted) return;
        const { status } = describeError(error);
        if (status === 401) expire(drive.drive_id);
        // The permission to see events has ended: the page follows the present without them.
        else if (status === 403) reset();
        else pause = setTimeout(() => void listen(afterLast()), pauseAfter(error));
      });
    void listen(afterLast());
    return () => {
      ending.abort();
      clearTimeout(pause);
    };
  }, [drive, is_online, is_visible, queries, reset, expire]);
  const shown = is_online ? state : 'lost';
  return (
    <span className={styles.live} data-state={shown} role="status" title={texts.live.hint[shown]}>
      <span className={styles.dot} aria-hidden="true" />
      {texts.live[shown]}
      {is_online && state === 'lost' && <ReadsAgain />}
    </span>
  );
}

/** Without the feed, pages follow the present more slowly. */
function ReadsAgain(): null {
  useReadsAgain();
  return null;
}

/** Milliseconds before the feed is asked for again once the client has given it up. */
function pauseAfter(error: unknown): number {
  const asked_s = isDriveError(error) || error instanceof ConnectionError ? error.retry_after_s : 0;
  return Math.max(READ_NOW_EVERY_MS, (asked_s ?? 0) * 1000);
}

async function follow(
  drive: Drive,
  options: FeedOptions,
  onEvent: (event: FeedEvent) => void,
): Promise<void> {
  for await (const event of drive.events(options)) onEvent(event);
}

/**
 * Compares the last event that was read with the one of the same revision. If they differ, a backup was restored and has
 * other events since: then everything is read again.
 */
async function compareLast(
  drive: Drive,
  last: { current: LastEvent },
  reset: () => void,
): Promise<void> {
  const { revision, hash } = last.current;
  const range = { from_revision: revision, to_revision: revision, page_size: 1 };
  // Without an answer, the next connection compares.
  const answer = await drive.organization.history(range).catch(() => null);
  const found = answer?.items[0]?.hash;
  if (found === undefined) return;
  if (hash !== null && hash !== found) reset();
  if (last.current.revision === revision) last.current = { revision, hash: found };
}

function onNetworkChange(changed: () => void): () => void {
  const names = ['online', 'offline'];
  for (const name of names) window.addEventListener(name, changed);
  return () => names.forEach((name) => window.removeEventListener(name, changed));
}

function onVisibilityChange(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}

/** Calls at most once in a period, at its end. */
function throttled(period_ms: number, call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      call();
    }, period_ms);
  };
}
