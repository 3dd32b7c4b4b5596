/** The name that is most like a word, in any case, and the distance between the two. There is at least one name. */
export function nearestOf(names: readonly string[], word: string): { name: string; away: number } {
  const distances = names.map((name) => distance(word.toLowerCase(), name.toLowerCase()));
  const away = Math.min(...distances);
  return { name: names[distances.indexOf(away)]!, away };
}

/** Levenshtein distance: the number of letters to insert, delete or change to turn one word into the other. */
export function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
