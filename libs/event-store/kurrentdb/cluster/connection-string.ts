/**
 * The connection string of a KurrentDB or EventStoreDB. It contains credentials: no message here repeats its text.
 */

/** The string is invalid; the message names the problem, never the string. */
export class UnusableConnectionString extends Error {
  override readonly name = 'UnusableConnectionString';
}

/** The server is unreachable, or denies reads. The message contains no password. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
  /** @param may_pass true if the problem may be temporary */
  constructor(
    message: string,
    readonly may_pass: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Decoded user and password. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface Connection {
  /** For the client, with the current scheme. */
  readonly url: string;
  /**
   * For the client's native reader, without credentials: it would send them undecoded, so they are passed with each
   * read.
   */
  readonly reads_url: string;
  readonly credentials: Credentials | undefined;
  /** `host:port` of each node, for messages. */
  readonly hosts: string;
  /** Whether TLS is used, and which authorities are trusted. */
  readonly trust: Trust;
}

interface Trust {
  readonly tls: boolean;
  /** Path of the CA certificates; undefined for those of the machine. */
  readonly ca_file: string | undefined;
  /** False: any certificate of a server is accepted. */
  readonly verifies: boolean;
}

const SHAPE =
  /^(?<scheme>esdb|kurrentdb|kurrent|kdb)(?<discover>\+discover)?:\/\/(?:(?<user>[^:@/?]+):(?<password>[^@/?]+)@)?(?<hosts>[^@/?]+)\/?(?:\?(?<query>.*))?$/;

/**
 * If discovery gives up, the client cannot write again, even with a new leader. So it continues for a day and ends
 * with the first leader.
 */
const ENDLESS_DISCOVERY = 'maxDiscoverAttempts=1000000';

/**
 * Maximum wait for a node that is asked for the leader; a frozen node delays the search by this time, of the appender
 * (default 5 s) and of the native reader (3 s). One reads the option as seconds, the other as milliseconds.
 */
const GOSSIP_MS = 1_000;

/** Options known to the client; for an unknown one it would print the whole string, including the password. */
const OPTIONS = [
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'tls',
  'tlsCAFile',
  'tlsVerifyCert',
  'userCertFile',
  'userKeyFile',
];

/**
 * Validates a connection string before the client sees it, since the client's own errors quote the string. The old
 * scheme `esdb` becomes `kurrentdb`; each of several hosts is asked for the leader, with or without `+discover`.
 * @param given credentials that replace those in the string
 * @throws UnusableConnectionString
 */
export function readConnectionString(text: string, given?: Credentials): Connection {
  const found = SHAPE.exec(text.trim())?.groups;
  if (!found)
    throw new UnusableConnectionString(
      'a connection string looks like kurrentdb://user:password@host:2113?tls=true, with @ : / ? % of user and ' +
        'password percent-encoded',
    );
  const options = found.query?.split('&') ?? [];
  const names = options.map(checkOption);
  const hosts = found.hosts!;
  const scheme = found.scheme!.replace('esdb', 'kurrentdb');
  // The client would use only the first of several hosts.
  const discover = hosts.includes(',') ? '' : (found.discover ?? '');
  const at = (userinfo: string, query: readonly string[]): string =>
    `${scheme}${discover}://${userinfo}${hosts}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const credentials = given ?? credentialsIn(found);
  const userinfo = credentials
    ? `${encodeURIComponent(credentials.username)}:${encodeURIComponent(credentials.password)}@`
    : '';
  const valueOf: ValueOf = (name) => options[names.indexOf(name)]?.replace(/^[^=]*=/, '');
  const others = options.filter((_, nth) => names[nth] !== 'gossiptimeout');
  const gossip_ms = Number(valueOf('gossiptimeout') ?? GOSSIP_MS);
  const discovery = [
    ...(names.includes('maxdiscoverattempts') ? [] : [ENDLESS_DISCOVERY]),
    `gossipTimeout=${Math.max(1, Math.ceil(gossip_ms / 1000))}`,
  ];
  return {
    url: at(userinfo, [...others, ...discovery]),
    reads_url: at('', [...others, `gossipTimeout=${gossip_ms}`]),
    credentials,
    hosts,
    trust: trustIn(valueOf),
  };
}

type ValueOf = (name: string) => string | undefined;

function trustIn(valueOf: ValueOf): Trust {
  return {
    tls: valueOf('tls') !== 'false',
    ca_file: valueOf('tlscafile'),
    verifies: valueOf('tlsverifycert') !== 'false',
  };
}

function credentialsIn({
  user,
  password,
}: Readonly<Record<string, string | undefined>>): Credentials | undefined {
  if (user === undefined || password === undefined) return undefined;
  try {
    return { username: decodeURIComponent(user), password: decodeURIComponent(password) };
  } catch {
    throw new UnusableConnectionString(
      'user and password of a connection string must be percent-encoded: % is written as %25',
    );
  }
}

/** @returns the option's name in lower case without separators */
function checkOption(option: string): string {
  const [key = '', value = ''] = option.split('=');
  const name = key.toLowerCase().replace(/[_-]/g, '');
  if (name === 'throwonappendfailure')
    throw new UnusableConnectionString(
      'the option throwOnAppendFailure of a connection string is not supported',
    );
  if (!OPTIONS.some((known) => known.toLowerCase() === name))
    throw new UnusableConnectionString(`unknown option ${key} in a connection string`);
  if (value === '')
    throw new UnusableConnectionString(`option ${key} of a connection string has no value`);
  if (name === 'nodepreference' && value.toLowerCase() !== 'leader')
    // Decisions need the leader's data: a follower may lag.
    throw new UnusableConnectionString('nodePreference of a connection string must be leader');
  return name;
}
