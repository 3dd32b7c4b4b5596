import { jsonEvent } from '@kurrent/kurrentdb-client';

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
