/** The connection string of a KurrentDB or EventStoreDB. It bears credentials: no message here repeats its text. */

/** The string cannot be used; the message names what is wrong, never the string. */
export class UnusableConnectionString extends Error {
  override readonly name = 'UnusableConnectionString';
}

/** The server cannot be reached, or does not let us read. The message holds no password. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}

export interface Connection {
  /** For the client, with today's scheme. */
  readonly url: string;
  /** `host:port` of each node named, for messages. */
  readonly hosts: string;
}

const SHAPE =
  /^(?<scheme>esdb|kurrentdb|kurrent|kdb)(?<discover>\+discover)?:\/\/(?:[^@/?]+@)?(?<hosts>[^@/?]+)\/?(?:\?(?<query>.*))?$/;

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
 * The old scheme `esdb` is spelled `kurrentdb`.
 * @throws UnusableConnectionString
 */
export function readConnectionString(text: string): Connection {
  const found = SHAPE.exec(text.trim())?.groups;
  if (!found)
    throw new UnusableConnectionString(
      'a connection string looks like kurrentdb://user:password@host:2113?tls=true',
    );
  for (const option of found.query?.split('&') ?? []) checkOption(option);
  return {
    url: text.trim().replace(/^esdb/, 'kurrentdb'),
    hosts: found.hosts!,
  };
}

function checkOption(option: string): void {
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
}
