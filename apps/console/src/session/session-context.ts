import { createContext, use } from 'react';
import type { Session } from './sessions.js';

export const SessionContext = createContext<Session | null>(null);

/** The session of the organization whose page is shown. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('There is no session here');
  return session;
}
