import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { HostAddresses } from './host-addresses.js';
import { hostOf, isPublicAddress } from './public-address.js';

/** Maximum interim responses (status 1xx) before the response. */
const MOST_INTERIM = 16;

/** Limits of requests to addresses that users chose. */
export interface RequestGuard {
  readonly public_only: boolean;
  /** Looks up addresses; for tests. */
  readonly resolve?: LookupFunction | undefined;
}

interface GuardedRequest {
  readonly method: 'POST' | 'HEAD';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly signal: AbortSignal;
}

/**
 * Begins a request that only connects to allowed addresses and follows no redirect.
 * @throws Error with the code `ENOTPUBLIC`
 */
export function beginRequest(
  url: URL,
  { method, headers, signal }: GuardedRequest,
  guard: RequestGuard,
): http.ClientRequest {
  const host = hostOf(url);
  // Node.js connects to a numeric address without calling `lookup`.
  if (guard.public_only && isIP(host) && !isPublicAddress(host)) throw notPublic();
  const begin = url.protocol === 'https:' ? https.request : http.request;
  // Connections are not reused, so that the address is checked for each one.
  const options = { method, headers, signal, agent: false, lookup: guardedLookup(guard) };
  return boundInterim(begin(url, options));
}

/** Ends a request that is sent interim responses (RFC 9110, 15.2) without end: reading them occupies this thread. */
function boundInterim(sent: http.ClientRequest): http.ClientRequest {
  let interim = 0;
  return sent.on('information', () => {
    if (++interim > MOST_INTERIM) sent.destroy(new Error('too many interim responses'));
  });
}

/** One for the process: lookups by the system have their turn among all of it. */
const addresses_of_hosts = new HostAddresses();

/** Looks up a host and returns only allowed addresses, so that Node.js connects to one of these. */
function guardedLookup({
  public_only,
  resolve = addresses_of_hosts.lookup,
}: RequestGuard): LookupFunction {
  return (host, options, found) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return found(error, []);
      const all = typeof addresses === 'string' ? [] : addresses;
      const allowed = public_only ? all.filter(({ address }) => isPublicAddress(address)) : all;
      const [first] = allowed;
      if (!first) return found(notPublic(), []);
      if (options.all) return found(null, allowed);
      found(null, first.address, first.family);
    });
  };
}

const NOT_PUBLIC = 'ENOTPUBLIC';

function notPublic(): Error {
  return Object.assign(new Error(REASONS[NOT_PUBLIC]), { code: NOT_PUBLIC });
}

export function isNotPublic(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === NOT_PUBLIC;
}

const REASONS: Readonly<Record<string, string>> = {
  [NOT_PUBLIC]: 'the address is not public',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ETIMEDOUT: 'no response in time',
  ABORT_ERR: 'no response in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
};

/** A reason without addresses: callers must not learn about the internal network. */
export function reasonOf(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (/CERT|TLS|SSL|EPROTO/.test(code)) return 'the connection is not secure';
  return REASONS[code] ?? 'the request failed';
}
