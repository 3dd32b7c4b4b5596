import { replay } from './commands/queries/replay.js';
import { Names, resourceOf } from './output/names.js';
import { programOf } from './program.js';
import { recordsAt } from './records.js';
import type { Source } from './source.js';

/** Records of an answer of all families together, as if they were long; each page has at least one. */
const MOST_IN_ANSWERS = 30;

interface Asked {
  readonly include: readonly string[];
  readonly record_id?: string;
  readonly page_size: number;
  readonly cursor_down?: string;
}

const numbered = (count: number, kind: string, noun: string) =>
  Array.from({ length: count }, (_, at) => ({ id: `${kind}_${at}`, name: `${noun} ${at}` }));

const FAMILIES: Readonly<
  Record<string, readonly { readonly id: string; readonly name: string }[]>
> = {
  contacts: numbered(100, 'UserID', 'User'),
  groups: numbered(100, 'GroupID', 'Group'),
  disks: numbered(40, 'DiskID', 'Disk'),
};

/** An organization whose folders have their paths as ids. */
function sourceOf() {
  const asked: Asked[] = [];
  const ask = async ({ path }: { readonly path: string }, input: unknown) => {
    if (path === 'directory/list') {
      const { place } = input as { readonly place: { readonly path: string } };
      return { breadcrumbs: [{ resource_id: place.path }] };
    }
    const { include, record_id, page_size, cursor_down } = input as Asked;
    asked.push(input as Asked);
    let room = MOST_IN_ANSWERS;
    const names = include.includes('ALL') ? Object.keys(FAMILIES) : include;
    const pages = names.map((family) => {
      const all = FAMILIES[family]!;
      const from = Number(cursor_down ?? 0);
      const items = all.slice(from, from + Math.min(page_size, Math.max(room, 1)));
      room -= items.length;
      const end = from + items.length;
      const next = end < all.length ? String(end) : null;
      return [family, { items, total: all.length, cursor: next, cursor_down: next }];
    });
    const found = Object.values(FAMILIES)
      .flat()
      .filter(({ id }) => id === record_id);
    const state = record_id ? { one: { items: found } } : Object.fromEntries(pages);
    const counts = { disks: FAMILIES.disks!.length };
    const last_event = { type: 'GroupCreated', command: 'CreateGroup' };
    return { state, counts, revision: 7, at_ms: 1_000, last_event };
  };
  const source = { ask, close: async () => {} } as unknown as Source;
  return { source, asked };
}

describe('records whose pages end early', () => {
  it('are read up to the maximum', async () => {
    const { source } = sourceOf();
    const ids = FAMILIES.groups!.map(({ id }) => id);
    const read = async (most?: number) =>
      (await recordsAt(source, {}, 'groups', most)).records.map(({ id }) => id);
    expect(await read()).toEqual(ids);
    expect(await read(70)).toEqual(ids.slice(0, 70));
    expect((await recordsAt(source, {}, 'groups')).disks).toBe(40);
  });

  it('have their names in answers, those of all families', async () => {
    const { source, asked } = sourceOf();
    const names = new Names(source, [{}]);
    const records = Object.values(FAMILIES).flat();
    const text = await names.text((known) => records.map(({ id }) => known.of(id)));
    const lines = text.split('\n');
    for (const [at, { name }] of records.entries()) expect(lines[at]).toContain(name);
    expect(asked.filter(({ record_id }) => record_id !== undefined)).toEqual([]);
  });

  it('are found by the disk in a path', async () => {
    const { source } = sourceOf();
    expect(await resourceOf(source, {}, 'Disk 39:/')).toBe('DiskID_39::/');
  });
});

describe('replay of families whose pages end early', () => {
  async function run(...argv: readonly string[]): Promise<string> {
    return (await running(...argv)).out;
  }

  async function running(...argv: readonly string[]) {
    const { source, asked } = sourceOf();
    let out = '';
    const terminal = { out: (text: string) => void (out += text), err: () => {} };
    const program = programOf([], { ...terminal, is_watched: false, env: {} });
    replay(program, {
      terminal: { ...terminal, is_watched: false, env: {} },
      open: async () => source,
    });
    await program.parseAsync(['replay', '--drive', 'DriveID_1', ...argv], { from: 'user' });
    return { out, asked };
  }

  it('prints all records of each of them, and how many there are', async () => {
    const text = await run('--include', 'ALL');
    for (const { name } of Object.values(FAMILIES).flat()) expect(text).toContain(`"${name}"`);
    expect(text.match(/^\d+ of \d+$/gm)).toEqual(['100 of 100', '100 of 100', '40 of 40']);
  });

  it.each([
    [['--at', 'r5'], { revision: 5 }],
    [['--at', '@end'], { at: '@end' }],
    [[], { at_ms: 1_000 }],
  ])('reads further pages at the point of the first one: %j', async (at, expected) => {
    const [, ...further] = (await running('--include', 'groups', ...at)).asked;
    expect(further).toHaveLength(3);
    for (const one of further) expect(one).toMatchObject(expected);
  });

  it('ends at the limit of each', async () => {
    const text = await run('--include', 'ALL', '--limit', '60');
    expect(text.match(/^\d+ of \d+$/gm)).toEqual(['60 of 100', '60 of 100', '40 of 40']);
  });

  it('leads on where JSON ends', async () => {
    const json = async (...argv: readonly string[]) =>
      JSON.parse(await run('--include', 'groups', '--json', ...argv)).state.groups;
    expect((await json('--limit', '60')).cursor_down).toBe('60');
    const whole = await json('--all');
    expect(whole.items).toEqual(FAMILIES.groups);
    expect(whole).toMatchObject({ total: 100, cursor: null, cursor_down: null });
  });
});
