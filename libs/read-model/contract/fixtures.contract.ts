import { Fingerprints } from '../fingerprint.js';
import type {
  Clause,
  Document,
  DocumentKey,
  DocumentSource,
  ListQuery,
  Page,
  ReadModel,
  ReadModelSchema,
  SearchHit,
  SearchQuery,
  StreamPlace,
} from '../port.js';

/** Gives an empty model of the schema; the case closes it. */
type MakeModel = (schema: ReadModelSchema) => Promise<ReadModel>;

/** One promise of the port. `run` rejects if the model breaks it. */
export interface ContractCase {
  readonly name: string;
  run(makeModel: MakeModel): Promise<void>;
}

/** What adapters derive the key of their fingerprints from. */
export const SECRET = new Uint8Array(32).fill(7);

/** The only kind of record in the suite. */
export interface Thing {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly color: string;
  readonly tags: readonly string[];
  readonly hidden: boolean;
  readonly created_at: number;
  readonly updated_at: number;
}

const thing = (record: object): Thing => record as Thing;

/** `things` has everything, `others` is searched along with it, `plain` is not searched. */
export const SCHEMA: ReadModelSchema = {
  things: {
    created_at: (record) => thing(record).created_at,
    filter_text: (record) => `${thing(record).name}\t${thing(record).id}`,
    fields: {
      color: (record) => thing(record).color,
      tags: (record) => thing(record).tags,
    },
    search: {
      text: (record) => `${thing(record).name}\t${thing(record).note}`,
      title: (record) => thing(record).name,
      updated_at: (record) => thing(record).updated_at,
      includes: (record) => !thing(record).hidden,
    },
  },
  others: {
    created_at: (record) => thing(record).created_at,
    filter_text: (record) => thing(record).name,
    fields: { color: (record) => thing(record).color },
    search: {
      // Unlike that of things, it does not begin with the title.
      text: (record) => `${thing(record).note}${thing(record).name}`,
      title: (record) => thing(record).name,
      updated_at: (record) => thing(record).updated_at,
    },
  },
  plain: {
    created_at: (record) => thing(record).created_at,
    filter_text: (record) => thing(record).name,
    fields: {},
  },
};

/** A thing of which only some fields matter. */
export function aThing(id: string, fields: Partial<Thing> = {}): Thing {
  return {
    id,
    name: id,
    note: '',
    color: 'grey',
    tags: [],
    hidden: false,
    created_at: 0,
    updated_at: 0,
    ...fields,
  };
}

/** Things with ids `a00`, `a01`, … created one ms after another, the first at 0. */
export function manyThings(count: number, fields: (n: number) => Partial<Thing> = () => ({})) {
  return Array.from({ length: count }, (_, n) =>
    aThing(`a${String(n).padStart(2, '0')}`, { created_at: n, updated_at: n, ...fields(n) }),
  );
}

/** A place in a stream: its hash follows from the revision. */
export function at(revision: number): StreamPlace {
  return { revision, event_hash: new Uint8Array(32).fill(revision + 1) };
}

/** A checkpoint as it can be compared: bytes may come from another realm under a test runner. */
export function plain<C extends StreamPlace>(found: C | null) {
  return found && { ...found, event_hash: [...found.event_hash] };
}

/** Documents in maps, as a drive's state holds them. */
export class MapSource implements DocumentSource {
  private readonly families = new Map<string, Map<string, Document>>();

  put(family: string, record: Thing, revision: number): void {
    this.family(family).set(record.id, { family, id: record.id, revision, record });
  }

  remove(family: string, id: string): void {
    this.family(family).delete(id);
  }

  document(family: string, id: string): Document | undefined {
    return this.families.get(family)?.get(id);
  }

  documents(family: string): Iterable<Document> {
    return this.family(family).values();
  }

  private family(name: string): Map<string, Document> {
    let family = this.families.get(name);
    if (family === undefined) this.families.set(name, (family = new Map()));
    return family;
  }
}

export type Change =
  | { readonly put: Thing; readonly family?: string }
  | { readonly remove: string; readonly family?: string };

let drives_opened = 0;

/** A drive under test: its documents, and how its model is kept in step with them. */
export class TestDrive {
  readonly id = `DriveID_contract-${(drives_opened += 1)}`;
  readonly source = new MapSource();
  revision = 0;

  private constructor(
    readonly model: ReadModel,
    readonly generation: string,
  ) {}

  /** Builds and activates the first generation, at revision 0. What the model says to it is not judged. */
  static async open(
    model: ReadModel,
    things: readonly Thing[],
    others: readonly Thing[] = [],
    generation = 'first',
  ): Promise<TestDrive> {
    const drive = new TestDrive(model, generation);
    for (const record of things) drive.source.put('things', record, 0);
    for (const record of others) drive.source.put('others', record, 0);
    await model.build(drive.id, generation, at(0), drive.source);
    await model.activate(drive.id, generation);
    return drive;
  }

  /** Changes the documents and applies that as one step. */
  async change(...changes: readonly Change[]): Promise<boolean> {
    const from_revision = this.revision;
    this.revision += 1;
    return this.model.apply({
      drive_id: this.id,
      generation: this.generation,
      from_revision,
      ...at(this.revision),
      touched: changes.map((change) => this.make(change)),
      source: this.source,
    });
  }

  list(query: Partial<ListQuery> = {}): Promise<Page<DocumentKey>> {
    return this.model.list(this.id, {
      family: 'things',
      visible: 'all',
      direction: 'ASC',
      page_size: 50,
      ...query,
    });
  }

  search(text: string, query: Partial<SearchQuery> = {}): Promise<Page<SearchHit>> {
    return this.model.search(this.id, {
      text,
      families: [{ family: 'things', visible: 'all' }],
      order: 'CREATED_AT',
      direction: 'ASC',
      page_size: 50,
      ...query,
    });
  }

  /** Ids and revisions of entries of things that the model says are made of what the source has; `odd` of others. */
  async kept(...wanted: readonly string[]): Promise<Record<string, number | 'odd'>> {
    const entries = await this.model.entries(this.id, 'things', wanted);
    const fingerprints = new Fingerprints(this.model.fingerprintKey());
    return Object.fromEntries(
      entries.map(({ family, id, revision, fingerprint }) => {
        const document = this.source.document(family, id);
        const is_same = document && fingerprints.of(this.id, document) === fingerprint;
        return [id, is_same ? revision : 'odd'];
      }),
    );
  }

  private make(change: Change): DocumentKey {
    const family = change.family ?? 'things';
    if ('put' in change) {
      this.source.put(family, change.put, this.revision);
      return { family, id: change.put.id };
    }
    this.source.remove(family, change.remove);
    return { family, id: change.remove };
  }
}

export function clause(field: string, ...among: readonly string[]): Clause {
  return { field, among: new Set(among) };
}

/** Ids of a list page. */
export function ids(page: Page<DocumentKey>): string[] {
  return page.items.map(({ id }) => id);
}

/** Ids of a search page. */
export function hitIds(page: Page<SearchHit>): string[] {
  return page.items.map(({ document }) => document.id);
}

/** All pages from one end to the other; `ask` gets the position that the last page gave. */
export async function walk<Item>(
  side: 'after' | 'before',
  ask: (position: Page<Item>['after'], page_number: number) => Promise<Page<Item>>,
): Promise<Page<Item>[]> {
  const pages: Page<Item>[] = [];
  let position: Page<Item>['after'] = null;
  do {
    const page: Page<Item> = await ask(position, pages.length);
    pages.push(page);
    position = page[side];
    if (pages.length > 1000) throw new Error('pages without end');
  } while (position !== null);
  return pages;
}

/** Makes a case that opens a model, and closes it whatever happens. */
export function modelCase(name: string, test: (model: ReadModel) => Promise<void>): ContractCase {
  return {
    name,
    async run(makeModel) {
      const model = await makeModel(SCHEMA);
      try {
        await test(model);
      } finally {
        await model.close();
      }
    },
  };
}
