/** Texts of fewer characters (code points) have no trigram. */
const CHARACTERS = 3;

/** Maximum trigrams in one search: they only narrow the result, the text itself decides. */
const MOST_ASKED = 8;

/** All distinct runs of three characters of a folded text. */
export function trigramsOf(text: string): string[] {
  const characters = Array.from(text);
  const found = new Set<string>();
  for (let at = CHARACTERS; at <= characters.length; at += 1)
    found.add(characters.slice(at - CHARACTERS, at).join(''));
  return [...found];
}

/** Trigrams of every text that contains `text`, spread over it; none if it is too short. */
export function askedTrigrams(text: string): string[] {
  const all = trigramsOf(text);
  if (all.length <= MOST_ASKED) return all;
  const step = (all.length - 1) / (MOST_ASKED - 1);
  return Array.from({ length: MOST_ASKED }, (_, n) => all[Math.round(n * step)]!);
}
