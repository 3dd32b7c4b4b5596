import { describe, expect, it } from '@jest/globals';

import { readConnectionString, UnusableConnectionString } from './connection-string.js';

const TRUST = { tls: true, ca_file: undefined, verifies: true };
/** To search for a leader as long as there is none, and past a node that does not answer. */
const ADDED = 'maxDiscoverAttempts=1000000&gossipTimeout=1';
const PASSWORD = 'correct-horse';

describe('a connection string', () => {
  it.each([
    ['kurrentdb://db:2113', 'kurrentdb://db:2113', 'db:2113'],
    ['esdb://db', 'kurrentdb://db', 'db'],
    [
      'esdb+discover://db.internal/?tls=true&keepAliveInterval=20000',
      'kurrentdb+discover://db.internal?tls=true&keepAliveInterval=20000',
      'db.internal',
    ],
    // The client would use the first of them only.
    ['esdb+discover://a:1,b:2?tls=true', 'kurrentdb://a:1,b:2?tls=true', 'a:1,b:2'],
    [' kdb://db:2113?nodePreference=leader ', 'kdb://db:2113?nodePreference=leader', 'db:2113'],
  ])('%s is taken', (text, taken, hosts) => {
    const and = taken.includes('?') ? '&' : '?';
    expect(readConnectionString(text)).toEqual({
      ...{ url: `${taken}${and}${ADDED}`, reads_url: `${taken}${and}gossipTimeout=1000` },
      ...{ hosts, trust: TRUST },
    });
  });

  it.each(['maxDiscoverAttempts', 'max_discover_attempts'])('keeps a given %s', (name) => {
    const text = `kurrentdb://a,b?${name}=7`;
    expect(readConnectionString(text)).toMatchObject({
      url: `${text}&gossipTimeout=1`,
      reads_url: `${text}&gossipTimeout=1000`,
    });
  });

  it('takes a gossipTimeout as milliseconds, which one part of the client reads as seconds', () => {
    expect(readConnectionString('kurrentdb://a,b?gossip_timeout=2500')).toMatchObject({
      url: 'kurrentdb://a,b?maxDiscoverAttempts=1000000&gossipTimeout=3',
      reads_url: 'kurrentdb://a,b?gossipTimeout=2500',
    });
  });

  it.each([
    [PASSWORD, PASSWORD],
    ['%40%20%3A%20%2F%20%25%20%3D%20%2B', '@ : / % = +'],
    ['a+b=c', 'a+b=c'],
  ])('has the credentials %s, decoded for reads and encoded for the client', (text, decoded) => {
    const found = readConnectionString(`kurrentdb://${text}:${text}@a:1,b:2?tls=true`);
    expect(found.credentials).toEqual({ username: decoded, password: decoded });
    expect(found.reads_url).toBe('kurrentdb://a:1,b:2?tls=true&gossipTimeout=1000');
    const encoded = encodeURIComponent(decoded);
    expect(found.url).toContain(`://${encoded}:${encoded}@a:1,b:2?tls=true`);
  });

  it.each([
    ['http://db:2113', /looks like kurrentdb:/],
    [`kurrentdb://admin:${PASSWORD}@`, /looks like kurrentdb:/],
    [PASSWORD, /looks like kurrentdb:/],
    [`kurrentdb://admin:${PASSWORD}%@db`, /percent-encoded/],
    [`kurrentdb://admin:${PASSWORD}@home@db`, /percent-encoded/],
    [`kurrentdb://admin:${PASSWORD}@db?tlss=false`, /unknown option tlss/],
    [`kurrentdb://admin:${PASSWORD}@db?tls`, /option tls .* has no value/],
    [`kurrentdb://admin:${PASSWORD}@db?throwOnAppendFailure=false`, /throwOnAppendFailure/],
    [`kurrentdb://admin:${PASSWORD}@db?node_preference=follower`, /must be leader/],
  ])('%s is refused, without a word of it', (text, message) => {
    const read = () => readConnectionString(text);
    expect(read).toThrow(UnusableConnectionString);
    expect(read).toThrow(message);
    expect(read).not.toThrow(PASSWORD);
  });
});
