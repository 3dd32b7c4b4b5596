/** Sign-in links, and the other texts that people paste to sign in. */

/** What a link or a pasted text contains. */
export interface Credential {
  /** Null if the text is a key alone. */
  readonly drive_id: string | null;
  readonly key: string;
}

/** The page was opened by a sign-in link: its content, or `invalid`. */
export type OpenedLink = Credential | 'invalid' | null;

/**
 * Reads the sign-in link that the page was opened by, and removes it from the address and from the browser's history.
 * Call it before anything else reads the address.
 */
export function takeLoginLink(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  history: Pick<History, 'replaceState'>,
): OpenedLink {
  if (!/^\/auto-login\/?$/.test(pathname)) return null;
  history.replaceState(null, '', '/console');
  return readToken(new URLSearchParams(search).get('token') ?? '') ?? 'invalid';
}

/** Reads a sign-in link, the `auth_json` of quickstart, or a key. Null for an empty text. */
export function readCredential(pasted: string): Credential | null {
  const text = pasted.trim();
  if (text === '') return null;
  const token = /[?&]token=([\w-]+)/.exec(text)?.[1];
  return (token && readToken(token)) || readAuthJson(text) || { drive_id: null, key: text };
}

function readToken(token: string): Credential | null {
  const link = parsed(decoded(token));
  return credentialOf(link.org_id, link.profile_api_key);
}

function readAuthJson(text: string): Credential | null {
  const auth = parsed(text);
  return credentialOf(auth.drive_id, auth.api_key_value);
}

function credentialOf(drive_id: unknown, key: unknown): Credential | null {
  return typeof drive_id === 'string' && typeof key === 'string' ? { drive_id, key } : null;
}

function decoded(base64url: string): string {
  try {
    const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
  } catch {
    return '';
  }
}

function parsed(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
