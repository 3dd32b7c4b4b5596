/**
 * The index of the first item that is not before a place, or the length of the list.
 * @param isBefore true for the first items of the list only
 */
export function lowerBound<T>(list: readonly T[], isBefore: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
