import { ROLES } from '../../../libs/engine/drives/role.js';

import assert from 'node:assert/strict';

import { labelCommands } from '../../../libs/domain/labels/commands.js';
import { labelReads } from '../../../libs/domain/labels/reads.js';
import { OWNER } from '../../../libs/domain/testing/drive.js';
import { DRIVE_A, EngineSpec, PEER } from '../../../libs/engine/testing/engine.js';
import { eventually } from '../../../libs/engine/testing/eventually.js';
import { indexText } from '../../../libs/event-store/event-index.js';
import { MongoEventIndex } from '../../../libs/event-store/mongodb/event-index.js';
import { listRecords } from '../../../libs/application/list-records.js';
import { readRecord } from '../../../libs/application/read-record.js';
import { READ_SCHEMA } from '../../../libs/application/read-schema.js';
import {
  MapSource,
  SECRET,
  aThing,
  at,
} from '../../../libs/read-model/contract/fixtures.contract.js';
import { MongoReadModel } from '../../../libs/read-model/mongodb/mongo-read-model.js';
import type { Document, ReadModel } from '../../../libs/read-model/port.js';
import { read, section, tableRows } from '../../docs/markdown.js';
import { type WatchedDatabase, watchDatabase } from './commands.js';
import { describeWithMongo } from './describe.js';
import { type MongoServer, startMongo } from './server.js';
const LARGE = 4000;
const SMALL = 40;
const EVENTS_AT_ONCE = 1024;
const LIST = { family: 'labels', visible: 'all', direction: 'ASC', page_size: 20 } as const;
const SEARCHED = ['contacts', 'groups', 'disks', 'folders', 'files', 'purchases'];
const SEARCH = {
  text: 'x',
  direction: 'DESC',
  page_size: 20,
  families: SEARCHED.map((family) => ({ family, visible: 'all' as const })),
} as const;

const METADATA = JSON.stringify({
  ...{ actor: { user_id: 'UserID_a' }, command: 'c', correlation_id: 'x' },
  ...{ allowed_by: [], reason: null },
});

/** How many commands the documentation says of each. */
const told = new Map(
  tableRows(section(read('docs/read-model-mongodb.md'), '## How often it asks')).map(
    ([what, commands]) => [what!, commands!],
  ),
);

/** Labels and what is done with them. As short as they can be: the server for tests takes long over a trigram. */
class Labels {
  readonly source = new MapSource();
  private revision = 0;

  constructor(
    private readonly model: ReadModel,
    readonly drive_id: string,
    count: number,
  ) {
    for (let n = 0; n < count; n += 1) this.put(n);
  }

  async fill(generation: string, in_place_of?: string): Promise<void> {
    const { model, drive_id } = this;
    await model.build(drive_id, generation, at(0), this.source);
    await model.checkpoint(drive_id);
    assert.ok(await model.activate(drive_id, generation));
    if (in_place_of) await model.sweep(drive_id, in_place_of);
  }

  /** One step that changes labels, or creates them. */
  async step(...numbers: readonly number[]): Promise<void> {
    const from_revision = this.revision;
    this.revision += 1;
    for (const n of numbers) this.put(n);
    const touched = numbers.map((n) => ({ family: 'labels', id: `${n}` }));
    const { drive_id, source, revision } = this;
    const step = { drive_id, generation: 'first', from_revision, ...at(revision) };
    assert.ok(await this.model.apply({ ...step, touched, source }));
  }

  private put(n: number): void {
    const label = { ...aThing(`${n}`), value: 'x', created_at: n };
    this.source.put('labels', label, this.revision);
  }
}

describeWithMongo('docs/read-model-mongodb.md counts what is asked for', () => {
  let server: MongoServer;
  let watched: WatchedDatabase;
  let model: MongoReadModel;
  let labels: Labels;

  const open = async (database: string): Promise<WatchedDatabase> =>
    watchDatabase(server.url, database, { sends_whole_bulks: true });
  const modelOf = ({ db }: WatchedDatabase): Promise<MongoReadModel> =>
    MongoReadModel.open(db, READ_SCHEMA, { secret: SECRET });
  const expectAsTold = async (what: string, run: () => Promise<unknown>): Promise<void> => {
    const commands = await watched.during(run);
    expect([what, String(commands.length)]).toEqual([what, told.get(what)]);
  };

  beforeAll(async () => {
    server = await startMongo();
    watched = await open(server.freshDatabase());
    model = await modelOf(watched);
    labels = new Labels(model, 'DriveID_small', SMALL);
    await labels.fill('first');
  });
  afterAll(async () => {
    await watched.close();
    await server.stop();
  });

  it('an organization whose index is built anew', async () => {
    const many = new Labels(model, 'DriveID_large', LARGE);
    await many.fill('first');
    await expectAsTold('Reindex of 4,000 documents', () => many.fill('second', 'first'));
  });

  it('the index of events', async () => {
    const index = await MongoEventIndex.open(watched.db, false);
    const event = { type: 't', metadata: METADATA, resource_ids: ['a'] };
    const block = (from: number) => {
      const entry = (n: number) => ({ ...event, revision: from + n });
      return indexText(Array.from({ length: EVENTS_AT_ONCE }, (_, n) => entry(n)));
    };
    await index.append(labels.drive_id, block(0), at(EVENTS_AT_ONCE - 1));
    const next = at(2 * EVENTS_AT_ONCE - 1);
    await expectAsTold('Block of 1,024 events in the index of events', () =>
      index.append(labels.drive_id, block(EVENTS_AT_ONCE), next),
    );
  });

  it('steps', async () => {
    await expectAsTold('Step that creates records of one family', () =>
      labels.step(SMALL, SMALL + 1),
    );
    await expectAsTold('Step that changes records of one family', () => labels.step(1, SMALL + 2));
  });

  it('lists', async () => {
    const list = () => model.list(labels.drive_id, LIST);
    await expectAsTold('List whose total is not known', list);
    await expectAsTold('List', list);
    const after = { key: 20, id: '20' };
    await expectAsTold('List from a position', () =>
      model.list(labels.drive_id, { ...LIST, after }),
    );
  });

  it('searches', async () => {
    const search = (order: 'CREATED_AT' | 'SCORE') => () =>
      model.search(labels.drive_id, { ...SEARCH, order });
    await expectAsTold('Search of six families', search('CREATED_AT'));
    await expectAsTold('Search of six families by score', search('SCORE'));
  });

  it('a process that answers while another one brings the documents up', async () => {
    const { db } = watched;
    const beside = await open(db.databaseName);
    const read_model = model as unknown as ReadModel<Document>;
    const api = new EngineSpec({ read_model, role: ROLES.replica });
    await api.drives.start();
    await api.spawn();
    const worker = new EngineSpec({
      ...{ events: api.events.store, side: api.side, role: PEER },
      read_model: (await modelOf(beside)) as unknown as ReadModel<Document>,
    });
    await worker.drives.start();
    await worker.drives.open(DRIVE_A);
    const credential = { kind: 'signature', user_id: OWNER } as const;
    const input = { filters: '', page_size: 50, direction: 'ASC' } as const;
    const list = async () =>
      listRecords(api.drives, labelReads, { drive_id: DRIVE_A, credential }, input, () => ({}));
    const create = async (): Promise<void> => {
      const fresh = { label_id: 'LabelID_a' };
      await api.run(labelCommands.CreateLabel, { value: 'a', fresh });
    };
    await list();
    await expectAsTold('Command', create);
    const { revision } = (await api.drives.open(DRIVE_A)).head;
    const stands = async () => (await model.checkpoint(DRIVE_A))?.revision === revision;
    await eventually(stands);
    await expectAsTold('List after a command', list);
    await list();
    await expectAsTold('List', list);
    const reader = { drive_id: DRIVE_A, credential };
    await expectAsTold('Record', async () =>
      readRecord(api.drives, labelReads, reader, 'LabelID_a'),
    );
    await worker.drives.close();
    await api.drives.close();
    await beside.close();
  });
});
