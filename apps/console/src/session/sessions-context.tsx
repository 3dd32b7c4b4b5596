import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { openDrive } from '../api/drive.js';
import { describeError } from '../api/errors.js';
import type { Credential } from './login-link.js';
import {
  addKnown,
  readSessions,
  type Session,
  withoutSession,
  withSession,
  writeSessions,
} from './sessions.js';

interface Sessions {
  readonly sessions: readonly Session[];
  /** Organizations whose key was refused since it had been valid. */
  readonly expired: ReadonlySet<string>;
  /** Asks the server whose key it is. @throws what the client throws */
  readonly signIn: (credential: Credential & { readonly drive_id: string }) => Promise<Session>;
  readonly signOut: (drive_id: string) => void;
  /** Signs out because the key was refused. */
  readonly expire: (drive_id: string) => void;
}

const SessionsContext = createContext<Sessions | null>(null);

/** Keeps the sign-ins of this browser tab. */
export function SessionsProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const [sessions, setSessions] = useState<readonly Session[]>(() => readSessions(sessionStorage));
  // Without storage the sessions live in memory.
  useEffect(() => writeSessions(sessionStorage, sessions), [sessions]);
  const [expired, setExpired] = useState<ReadonlySet<string>>(new Set());
  const signIn = useCallback<Sessions['signIn']>(
    async ({ drive_id, key }) => {
      const me = await openDrive(drive_id, key).organization.whoami();
      const session: Session = {
        ...{ drive_id, key, org_name: me.drive_nickname },
        ...{ user_id: me.userID, user_name: me.nickname },
      };
      addKnown(localStorage, session);
      // Another key may see less.
      queries.removeQueries({ queryKey: [drive_id] });
      setSessions((before) => withSession(before, session));
      setExpired((before) => new Set([...before].filter((id) => id !== drive_id)));
      return session;
    },
    [queries],
  );
  const signOut = useCallback<Sessions['signOut']>(
    (drive_id) => {
      setSessions((before) => withoutSession(before, drive_id));
      queries.removeQueries({ queryKey: [drive_id] });
    },
    [queries],
  );
  const expire = useCallback<Sessions['expire']>(
    (drive_id) => {
      setExpired((before) => new Set(before).add(drive_id));
      signOut(drive_id);
    },
    [signOut],
  );
  // A key may be revoked or expire at any moment.
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const [drive_id] = event.query.queryKey;
        const is_refused = describeError(event.action.error).status === 401;
        if (is_refused && typeof drive_id === 'string') expire(drive_id);
      }),
    [queries, expire],
  );
  const value = useMemo(
    () => ({ sessions, expired, signIn, signOut, expire }),
    [sessions, expired, signIn, signOut, expire],
  );
  return <SessionsContext value={value}>{children}</SessionsContext>;
}

export function useSessions(): Sessions {
  const sessions = use(SessionsContext);
  if (!sessions) throw new Error('SessionsProvider is missing');
  return sessions;
}
