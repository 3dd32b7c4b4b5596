/** The connection string of a KurrentDB or EventStoreDB. It bears credentials: no message here repeats its text. */

/** The string cannot be used; the message names what is wrong, never the string. */
export class UnusableConnectionString extends Error {
  override readonly name = 'UnusableConnectionString';
}

/** The server cannot be reached, or does not let us read. The message holds no password. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
  /** @param may_pass true if it may be reached in a moment without anybody's doing */
  constructor(
    message: string,
    readonly may_pass: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Who reads; decoded. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface Connection {
  /** For the client, with today's scheme. */
  readonly url: string;
  /** For the client's native part, which would send credentials as they are written here: they go along with each read. */
  readonly reads_url: string;
  readonly credentials: Credentials | undefined;
  /** `host:port` of each node named, for messages. */
  readonly hosts: string;
  /** Whether servers are spoken to with TLS, and whom they are trusted by. */
  readonly trust: Trust;
}

export interface Trust {
  readonly tls: boolean;
  /** Path of the certificates of authorities; undefined for those of the machine. */
  readonly ca_file: string | undefined;
  /** False: whatever certificate a server has is accepted. */
  readonly verifies: boolean;
}

const SHAPE =
  /^(?<scheme>esdb|kurrentdb|kurrent|kdb)(?<discover>\+discover)?:\/\/(?:(?<user>[^:@/?]+):(?<password>[^@/?]+)@)?(?<hosts>[^@/?]+)\/?(?:\?(?<query>.*))?$/;

/**
 * A discovery that gives up leaves the client unable to write, even when there is a leader again: it goes on for a
 * day and ends with the first leader.
 */
const ENDLESS_DISCOVERY = 'maxDiscoverAttempts=1000000';

/**
 * Longest wait for a node that is asked who leads: so long a frozen one holds up the search, of the appender (5 s unless
 * told) and of the native part (3 s). The one reads the option as seconds, the other as milliseconds.
 */
const GOSSIP_MS = 1_000;

/** What the client knows; it would print the whole string, password included, to tell of any other. */
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
 * Checks a connection string before the client sees it, since the client's own complaints quote the string.
 * The old scheme `esdb` is spelled `kurrentdb`; of several hosts each is asked who leads, with `+discover` as without.
 * @param given credentials in place of those in the string
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
  // The client would look at the first of several hosts only.
  const discover = hosts.includes(',') ? '' : (found.discover ?? '');
  const at = (userinfo: string, query: readonly string[]): string =>
    `${scheme}${discover}://${userinfo}${hosts}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const credentials = given ?? credentialsIn(found);
  const userinfo = credentials
    ? `${encodeURIComponent(credentials.username)}:${encodeURIComponent(credentials.password)}@`
    : '';
  const valueOf = (name: string): string | undefined =>
    options[names.indexOf(name)]?.replace(/^[^=]*=/, '');
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
    trust: trustIn(names, options),
  };
}

function trustIn(names: readonly string[], options: readonly string[]): Trust {
  const valueOf = (name: string): string | undefined => {
    const at = names.indexOf(name);
    return at < 0 ? undefined : options[at]!.slice(options[at]!.indexOf('=') + 1);
  };
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
    // What decides must be read where it is written: a follower may lag behind.
    throw new UnusableConnectionString('nodePreference of a connection string must be leader');
  return name;
}
