import { inspect } from 'node:util';

import { MongoUnavailable, openMongo } from './client.js';

// Port 1 is reserved; nothing listens there, and the connection is refused at once.
const UNREADABLE = [
  'mongodb://someone:s3cret@host.test:99999/',
  'mongodb://someone:s3cret%ZZ@127.0.0.1:1/',
  'mongodb://someone:s3:cret@@127.0.0.1:1/',
  'mysql://someone:s3cret@127.0.0.1:1/',
  'mongodb://someone:s3cret@127.0.0.1:1/?s3cret=1',
];

describe('opening MongoDB', () => {
  it.each(UNREADABLE)('fails without telling the password: %s', async (url) => {
    const error = await openMongo(url, 'anything').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MongoUnavailable);
    const shown = inspect(error, { depth: 9, showHidden: true });
    expect(shown).not.toMatch(/s3:?cret/);
  });

  it('names the server that it does not reach', async () => {
    const opening = openMongo('mongodb://someone:s3cret@127.0.0.1:1,127.0.0.1:2/', 'anything', 1);
    await expect(opening).rejects.toThrow('MongoDB at 127.0.0.1:1, 127.0.0.1:2: ');
  });
});
