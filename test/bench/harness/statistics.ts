/** The middle of some figures; of an even number the mean of the two in the middle. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The figure that a share (0–1) of all figures does not exceed. */
export function percentile(figures: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(figures).sort();
  const at = Math.ceil(share * sorted.length) - 1;
  return sorted[Math.min(sorted.length - 1, Math.max(0, at))] ?? Number.NaN;
}
