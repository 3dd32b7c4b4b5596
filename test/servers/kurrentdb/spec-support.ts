import { jsonEvent } from '@kurrent/kurrentdb-client';
import { setTimeout as sleep } from 'node:timers/promises';

/** Events that carry a number each. */
export const counted = (...values: number[]) =>
  values.map((n) => jsonEvent({ type: 'counted', data: { n }, metadata: { about: 'test' } }));

/** The number in each event, in the order they come. */
export async function numbers(
  resolved: AsyncIterable<{ event?: { data: unknown } | undefined }>,
): Promise<number[]> {
  const found: number[] = [];
  for await (const { event } of resolved) found.push((event!.data as { n: number }).n);
  return found;
}

/** The first result that is no failure, for a client that is still connecting again. */
export async function eventually<T>(work: () => Promise<T>, within_ms = 10_000): Promise<T> {
  const deadline_ms = Date.now() + within_ms;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline_ms) throw error;
      await sleep(20);
    }
  }
}
