/** Opens the store that the first argument names, uses all of it, and closes it. Then nothing keeps the process. */
import { randomUUID } from 'node:crypto';
import { openKurrentEventStore } from '../../libs/event-store/kurrentdb/index.js';

const store = await openKurrentEventStore({ url: process.argv[2]! });
const stream = `drive-${randomUUID()}`;
const told = new Promise<void>((resolve, reject) => {
  const resolveWhenTold = (events: readonly { stream: string }[]): void => {
    if (events.some((event) => event.stream === stream)) resolve();
  };
  store.subscribeAll(-1, resolveWhenTold, reject);
});
await store.append(stream, -1, [
  {
    event_id: randomUUID(),
    type: 'GroupCreated',
    version: 1,
    timestamp_ms: Date.now(),
    metadata: '{}',
    data: '{}',
    hash: new Uint8Array(32),
  },
]);
await told;
await store.close();
console.log('closed');
