/** What a stream's metadata hides of it, as far as the service can meet it. */
export interface StreamLimits {
  /** Revisions below are hidden. */
  readonly truncate_before: bigint;
  readonly max_count: number;
  readonly max_age_ms: number;
}

export const NO_LIMITS: StreamLimits = {
  truncate_before: 0n,
  max_count: Infinity,
  max_age_ms: Infinity,
};

/** Reads metadata as text: `$tb` of a soft deletion is beyond what JSON.parse keeps exact. */
export function limitsIn(metadata: Uint8Array): StreamLimits {
  const text = Buffer.from(metadata).toString();
  const number = (name: string): string | undefined =>
    new RegExp(`"\\$${name}":\\s*(\\d+)`).exec(text)?.[1];
  return {
    truncate_before: BigInt(number('tb') ?? 0),
    max_count: Number(number('maxCount') ?? Infinity),
    max_age_ms: Number(number('maxAge') ?? Infinity) * 1000,
  };
}

/** Index of the first record that readers of the stream are shown; their number if there is none. */
export function firstShown(
  records: readonly { readonly created_ms: number }[],
  { truncate_before, max_count, max_age_ms }: StreamLimits,
  now: number,
): number {
  const { length } = records;
  let first = truncate_before < length ? Number(truncate_before) : length;
  first = Math.max(first, length - max_count);
  while (first < length && now - records[first]!.created_ms > max_age_ms) first += 1;
  return first;
}
