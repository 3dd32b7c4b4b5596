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

/** Less than the time of a test, which then fails with the last error. */
const AT_MOST_MS = 300_000;

/** The first result that is no failure, for a client that is still connecting again. */
export async function eventually<T>(work: () => Promise<T>): Promise<T> {
  const deadline_ms = Date.now() + AT_MOST_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline_ms) throw error;
      await sleep(20);
    }
  }
}
