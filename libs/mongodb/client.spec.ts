import { inspect } from 'node:util';

import { MongoClient } from 'mongodb';
import { guaranteed, MongoUnavailable, openMongo, refusalOf } from './client.js';

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
    expect(error).toMatchObject({ may_pass: false });
    const shown = inspect(error, { depth: 9, showHidden: true });
    expect(shown).not.toMatch(/s3:?cret/);
  });

  it('names the server that it does not reach', async () => {
    const opening = openMongo('mongodb://someone:s3cret@127.0.0.1:1,127.0.0.1:2/', 'anything', 1);
    await expect(opening).rejects.toMatchObject({
      message: expect.stringContaining('MongoDB at 127.0.0.1:1, 127.0.0.1:2: ') as string,
      may_pass: true,
    });
  });

  it('keeps to its guarantees whatever the connection string says', async () => {
    const asked = 'w=1&journal=false&wtimeoutMS=1&readConcernLevel=local&readPreference=secondary';
    const client = new MongoClient(`mongodb://127.0.0.1:1/?${asked}`);
    const { writeConcern, readConcern, readPreference } = guaranteed(client, 'drive');
    expect(writeConcern).toMatchObject({ w: 'majority', j: true, wtimeout: 10_000 });
    expect([readConcern?.level, readPreference?.mode]).toEqual(['majority', 'primary']);
    const rows = guaranteed(client, 'drive').collection('rows');
    expect([rows.writeConcern, rows.readConcern]).toEqual([writeConcern, readConcern]);
    await client.close();
  });

  it.each([
    [13, 'MONGODB_URL needs the name and password of a user with the role readWrite on it'],
    [18, 'user or password of MONGODB_URL are wrong'],
  ])('says in one sentence what to do about code %i', (code, sentence) => {
    const error = Object.assign(new Error('command find requires authentication'), { code });
    expect(refusalOf(error, 'drive')).toContain(sentence);
    expect(refusalOf(new Error('something else'), 'drive')).toBeNull();
  });
});
