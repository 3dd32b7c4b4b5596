import { createContext, type ReactNode, use, useMemo } from 'react';
import { type Drive, openDrive } from '../api/drive.js';
import type { Session } from './sessions.js';

interface Opened {
  readonly session: Session;
  readonly drive: Drive;
}

const SessionContext = createContext<Opened | null>(null);

interface SessionProviderProps {
  readonly session: Session;
  readonly children: ReactNode;
}

/** Opens the organization whose pages are shown. */
export function SessionProvider({ session, children }: SessionProviderProps) {
  const opened = useMemo(
    () => ({ session, drive: openDrive(session.drive_id, session.key) }),
    [session],
  );
  return <SessionContext value={opened}>{children}</SessionContext>;
}

function useOpened(): Opened {
  const opened = use(SessionContext);
  if (!opened) throw new Error('SessionProvider is missing');
  return opened;
}

/** The session of the organization whose pages are shown. */
export function useSession(): Session {
  return useOpened().session;
}

/** The organization whose pages are shown. */
export function useDrive(): Drive {
  return useOpened().drive;
}
