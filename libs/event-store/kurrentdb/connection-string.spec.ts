import { describe, expect, it } from '@jest/globals';

import { readConnectionString, UnusableConnectionString } from './connection-string.js';

const PASSWORD = 'correct-horse';

describe('a connection string', () => {
  it.each([
    ['kurrentdb://db:2113', 'kurrentdb://db:2113', 'db:2113'],
    ['esdb://db', 'kurrentdb://db', 'db'],
    [
      `esdb+discover://admin:${PASSWORD}@a:1,b:2/?tls=true&keepAliveInterval=20000`,
      `kurrentdb+discover://admin:${PASSWORD}@a:1,b:2/?tls=true&keepAliveInterval=20000`,
      'a:1,b:2',
    ],
    [' kdb://db:2113?nodePreference=leader ', 'kdb://db:2113?nodePreference=leader', 'db:2113'],
  ])('%s is taken', (text, url, hosts) => {
    expect(readConnectionString(text)).toEqual({ url, hosts });
  });

  it.each([
    ['http://db:2113', /looks like kurrentdb:/],
    [`kurrentdb://admin:${PASSWORD}@`, /looks like kurrentdb:/],
    [PASSWORD, /looks like kurrentdb:/],
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
