import { MongoClient } from 'mongodb';
import { SideStoreUnreachable } from '../event-store/port.js';
import { isMongoUnavailable, withUnavailableErrors } from './unavailable.js';

/** A store as the adapters are made: parts with methods. */
class Numbers {
  constructor(private readonly client: MongoClient) {}

  async count(): Promise<number> {
    return this.client.db('nobody').collection('numbers').countDocuments();
  }

  async insert(): Promise<void> {
    await this.client.db('nobody').collection('numbers').insertMany([{}], { ordered: false });
  }

  async write(): Promise<void> {
    await this.client
      .db('nobody')
      .collection('numbers')
      .bulkWrite([{ deleteOne: { filter: {} } }]);
  }

  async *each(): AsyncGenerator<number> {
    yield 1;
    yield* this.client.db('nobody').collection('numbers').find().map(Number);
  }

  async *failing(): AsyncGenerator<number> {
    yield 1;
    throw new Error('of its own');
  }

  async fail(): Promise<never> {
    throw new Error('of its own');
  }

  async answer(): Promise<number> {
    return 7;
  }
}

class Stores {
  readonly name = 'stores';
  readonly numbers: Numbers;

  constructor(client: MongoClient) {
    this.numbers = new Numbers(client);
  }
}

const named = (name: string): Error => Object.assign(new Error('…'), { name });

describe('a database that is away', () => {
  it('is told as such by all that rests on it; other failures stay as they are', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 50 });
    const stores = withUnavailableErrors(new Stores(client));
    await expect(stores.numbers.count()).rejects.toThrow(SideStoreUnreachable);
    await expect(stores.numbers.insert()).rejects.toThrow(SideStoreUnreachable);
    await expect(stores.numbers.write()).rejects.toThrow(SideStoreUnreachable);
    await expect(stores.numbers.fail()).rejects.toThrow('of its own');
    await expect(stores.numbers.fail()).rejects.not.toThrow(SideStoreUnreachable);
    const each = stores.numbers.each();
    expect(await each.next()).toEqual({ done: false, value: 1 });
    await expect(each.next()).rejects.toThrow(SideStoreUnreachable);
    const failing = stores.numbers.failing();
    await failing.next();
    await expect(failing.next()).rejects.not.toThrow(SideStoreUnreachable);
    expect([stores.name, await stores.numbers.answer()]).toEqual(['stores', 7]);
    expect(stores.numbers).toBe(stores.numbers);
    await client.close();
  });

  it.each([
    [true, { name: 'MongoNetworkError' }],
    [true, { name: 'MongoServerError', code: 10_107 }],
    [true, { name: 'MongoServerError', code: 1, errorLabels: ['RetryableWriteError'] }],
    [true, { name: 'MongoServerError', code: 134 }],
    [true, { name: 'MongoServerError', code: 43 }],
    [true, { name: 'MongoServerError', code: 50 }],
    [true, { name: 'MongoServerError', code: 13 }],
    [true, { name: 'MongoServerError', code: 365 }],
    [true, { name: 'MongoServerError', code: 11_601 }],
    [true, { name: 'MongoWriteConcernError', code: 64 }],
    [true, { name: 'MongoBulkWriteError', errorResponse: named('MongoNetworkError') }],
    [false, { name: 'MongoBulkWriteError', errorResponse: named('TypeError') }],
    [false, { name: 'MongoBulkWriteError', code: 11_000 }],
    [false, { name: 'MongoServerError', code: 11_000 }],
    [false, { name: 'MongoServerError', code: 10_334 }],
    [false, { name: 'TypeError', code: 6 }],
  ])('%s for %j', (is_away, fields) => {
    expect(isMongoUnavailable(Object.assign(new Error('…'), fields))).toBe(is_away);
  });
});
