import { BlockText } from './block-text.js';

const RECORDS = [
  { id: 'thing_ab12', text: 'alpha\nthing_ab12' },
  { id: 'thing_cd34', text: 'thing_cd34\nbeta ab12' },
  { id: 'thing_ef56', text: 'gamma\nthing_ef56\nhttps://a.example' },
  // Not a line of its own, so it stays where it is.
  { id: 'thing_0099', text: 'see thing_0099\nthing_0099x' },
  { id: 'thing_7777', text: '' },
  { id: 'thing_é', text: 'delta\nthing_é' },
];

/** Texts of the records, up to date. */
function textsOf(records: readonly { id: string; text: string }[]): BlockText {
  const texts = BlockText.unread(records.length);
  refresh(texts, records);
  return texts;
}

function refresh(texts: BlockText, records: readonly { id: string; text: string }[]): void {
  texts.refresh(
    (at) => records[at]!.text,
    (at) => records[at]!.id,
  );
}

function hitsOf(texts: BlockText, text: string): number[] {
  const found = new Uint32Array(RECORDS.length);
  return [...found.subarray(0, texts.hits(text, found))];
}

describe('texts of a block', () => {
  it.each([
    ['alpha', [0]],
    ['ab12', [0, 1]],
    ['thing_', [0, 1, 2, 3, 5]],
    ['thing_0099', [3]],
    ['see thing_0', [3]],
    ['a', [0, 1, 2, 5]],
    ['thing_é', [5]],
    ['mma\nhttps', []],
    ['example', [2]],
    ['zeta', []],
    ['thing_zz', []],
  ])('are looked through for %j, ids and all', (text, places) => {
    const texts = textsOf(RECORDS);
    expect(hitsOf(texts, text)).toEqual(places);
    for (const at of RECORDS.keys()) expect(texts.contains(at, text)).toBe(places.includes(at));
  });

  it('know which are empty', () => {
    const texts = textsOf(RECORDS);
    expect([...RECORDS.keys()].filter((at) => texts.isEmpty(at))).toEqual([4]);
  });

  it('are read anew only where they changed, in both halves of a split block', () => {
    const texts = textsOf(RECORDS);
    const changed = RECORDS.with(1, { id: 'thing_cd34', text: 'epsilon\nthing_cd34' });
    texts.changed(1);
    const right = texts.split(3);
    const read: string[] = [];
    const noting = (from: number) => (at: number) => {
      read.push(changed[from + at]!.id);
      return changed[from + at]!.text;
    };
    texts.refresh(noting(0), (at) => changed[at]!.id);
    right.refresh(noting(3), (at) => changed[3 + at]!.id);
    expect(read).toEqual(['thing_cd34']);
    expect(hitsOf(texts, 'epsilon')).toEqual([1]);
    expect(hitsOf(texts, 'cd34')).toEqual([1]);
    expect(hitsOf(right, 'thing_')).toEqual([0, 2]);
  });
});
