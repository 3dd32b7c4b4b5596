import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Drive } from '../api/drive.js';
import { isDriveError } from '../../../../libs/client/src/index.js';
import { useDrive } from '../session/session-context.js';
import { texts } from '../texts.js';
import { usePoint } from './point-context.js';
import styles from './point-bar.module.css';

/** Least time between two refreshes of the pages. */
const REFRESH_MS = 500;

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

function Feed({ drive, from }: { readonly drive: Drive; readonly from: number }) {
  const [state, setState] = useState<LiveState>('connecting');
  const is_online = useSyncExternalStore(onNetworkChange, () => navigator.onLine);
  const last = useRef(from);
  const [refresh] = useState(() => throttled(REFRESH_MS));
  const queries = useQueryClient();
  useEffect(() => {
    // Browsers keep a silent connection for a while.
    if (!is_online) return;
    const ending = new AbortController();
    const options = { signal: ending.signal, on_state: setState };
    const listen = (after: { readonly from?: number }): Promise<void> =>
      follow(drive, { ...options, ...after }, (revision) => {
        last.current = revision;
        refresh(() => void readAgain(queries, drive.drive_id));
      }).catch((error: unknown) => {
        // The caller may listen no longer, or has left the page: there are no new events to show.
        if (!isDriveError(error, 'feed.beyond-last-event')) return setState('lost');
        // Events that the page shows have been lost: it reads all again, also of the past.
        void queries.resetQueries({ queryKey: [drive.drive_id] });
        return listen({});
      });
    void listen({ from: last.current });
    return () => ending.abort();
  }, [drive, is_online, queries, refresh]);
  const shown = is_online ? state : 'lost';
  return (
    <span className={styles.live} data-state={shown} role="status" title={texts.live.hint[shown]}>
      <span className={styles.dot} aria-hidden="true" />
      {texts.live[shown]}
    </span>
  );
}

async function follow(
  drive: Drive,
  options: Parameters<Drive['events']>[0],
  onEvent: (revision: number) => void,
): Promise<void> {
  for await (const { revision } of drive.events(options)) onEvent(revision);
}

function onNetworkChange(changed: () => void): () => void {
  const names = ['online', 'offline'];
  for (const name of names) window.addEventListener(name, changed);
  return () => names.forEach((name) => window.removeEventListener(name, changed));
}

/** Calls back at most once in a period, at its end. */
function throttled(period_ms: number): (call: () => void) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (call) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      call();
    }, period_ms);
  };
}

/** Reads again what may have changed; what is of the past never does. */
function readAgain(queries: QueryClient, drive_id: string): Promise<void> {
  return queries.invalidateQueries({
    queryKey: [drive_id],
    predicate: ({ observers }) => observers.every(({ options }) => options.staleTime !== Infinity),
  });
}
