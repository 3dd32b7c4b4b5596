/** Sign-ins of this browser tab, and names of organizations for the next one. */

/** An organization and the key to it. */
export interface Session {
  readonly drive_id: string;
  readonly org_name: string;
  readonly user_id: string;
  readonly user_name: string;
  /** The token; kept until the tab is closed. */
  readonly key: string;
}

/** An organization that somebody signed in to from this browser; without a key. */
interface KnownOrganization {
  readonly drive_id: string;
  readonly org_name: string;
}

const SESSIONS = 'drive-console.sessions';
const KNOWN = 'drive-console.organizations';
const MOST_KNOWN = 20;

export function readSessions(tab: Storage): Session[] {
  return read<Session>(tab, SESSIONS);
}

export function writeSessions(tab: Storage, sessions: readonly Session[]): void {
  write(tab, SESSIONS, sessions);
}

/** The sessions with another one, which replaces one of the same organization. */
export function withSession(sessions: readonly Session[], session: Session): Session[] {
  return [session, ...withoutSession(sessions, session.drive_id)];
}

export function withoutSession(sessions: readonly Session[], drive_id: string): Session[] {
  return sessions.filter((one) => one.drive_id !== drive_id);
}

export function readKnown(browser: Storage): KnownOrganization[] {
  return read<KnownOrganization>(browser, KNOWN);
}

/** Remembers the name of an organization, the last one first. */
export function addKnown(browser: Storage, { drive_id, org_name }: KnownOrganization): void {
  const others = readKnown(browser).filter((one) => one.drive_id !== drive_id);
  write(browser, KNOWN, [{ drive_id, org_name }, ...others].slice(0, MOST_KNOWN));
}

export function forgetKnown(browser: Storage, drive_id: string): KnownOrganization[] {
  const known = readKnown(browser).filter((one) => one.drive_id !== drive_id);
  write(browser, KNOWN, known);
  return known;
}

/** Storage may be switched off, full, or hold what an older page wrote. */
function read<T extends { readonly drive_id: string }>(storage: Storage, name: string): T[] {
  try {
    const found: unknown = JSON.parse(storage.getItem(name) ?? '[]');
    return Array.isArray(found) ? found.filter((one) => typeof one?.drive_id === 'string') : [];
  } catch {
    return [];
  }
}

function write(storage: Storage, name: string, values: readonly unknown[]): void {
  try {
    storage.setItem(name, JSON.stringify(values));
  } catch {
    // The session then lasts until the page is reloaded.
  }
}
