import { type EventStore, StoreUnreachable } from './port.js';

/** The stream of the factory, which every installation has. */
export const FACTORY_STREAM = 'factory';

/** Resolves if all kinds of reads are permitted: each needs its own permission. @throws StoreUnavailable */
export async function checkReads(events: EventStore): Promise<void> {
  await Promise.all([
    events.lastPosition(),
    events.head(FACTORY_STREAM),
    events.retention?.(FACTORY_STREAM),
  ]);
}

const READS: ReadonlySet<unknown> = new Set<keyof EventStore>([
  'readStream',
  'readFoldable',
  'readPrepared',
  'readAll',
  'lastPosition',
  'findRevisionByTime',
  'head',
  'retention',
]);

type Read = (...values: unknown[]) => Promise<unknown>;

/** The same event store; `failed` is called for each read that its server refuses or does not answer. */
export function reportingReads(
  events: EventStore,
  failed: (error: StoreUnreachable) => void,
): EventStore {
  return new Proxy(events, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as Read;
      if (!READS.has(name)) return method;
      return (...values: unknown[]) =>
        method(...values).catch((error: unknown) => {
          if (error instanceof StoreUnreachable) failed(error);
          throw error;
        });
    },
  });
}
