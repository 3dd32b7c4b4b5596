/**
 * What every event store must do. A case is a plain function that rejects when the store is wrong, so that the
 * suite itself can be tested against wrong stores. Cases share nothing: each uses streams of its own and reads on
 * from a mark it has set, so they hold on a server with other events as well.
 */
import { afterEach, beforeEach, describe, it } from '@jest/globals';

import { appendCases } from './append-cases.contract.js';
import type { EventStoreCase } from './contract-support.contract.js';
import type { EventStore } from './port.js';
import { readCases } from './read-cases.contract.js';

/** Every case of the suite; a store that does nothing fails each. */
export const eventStoreCases: readonly EventStoreCase[] = [...appendCases, ...readCases];

/**
 * Runs the suite on stores from `makeStore`, a fresh one for each case.
 * @param makeStore gives a store and what to do after its case (the store is closed before)
 */
export function describeEventStore(
  name: string,
  makeStore: () => Promise<{ store: EventStore; cleanUp?: () => Promise<void> }>,
): void {
  describe(`event store: ${name}`, () => {
    let made: Awaited<ReturnType<typeof makeStore>>;
    beforeEach(async () => {
      made = await makeStore();
    });
    afterEach(async () => {
      await made.store.close();
      await made.cleanUp?.();
    });
    // oxlint-disable-next-line jest/expect-expect -- the cases assert
    it.each(eventStoreCases)('$name', ({ run }) => run(made.store));
  });
}
