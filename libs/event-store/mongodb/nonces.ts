import type { Db } from 'mongodb';

import { LONGEST_NONCE_MS, type NonceStore } from '../stores.js';
import { MongoWindowCounts } from './windows.js';

/** Nonces that all processes on the same MongoDB have used: the first count of a window is the first use. */
export class MongoNonceStore implements NonceStore {
  private constructor(private readonly windows: MongoWindowCounts) {}

  static async open(db: Db, read_only: boolean): Promise<MongoNonceStore> {
    return new MongoNonceStore(await MongoWindowCounts.open(db, LONGEST_NONCE_MS, { read_only }));
  }

  async use(key: string): Promise<boolean> {
    return (await this.windows.add(`nonce:${key}`)).count === 1;
  }
}
