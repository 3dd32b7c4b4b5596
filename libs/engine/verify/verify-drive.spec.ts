import type { Group } from '../../domain/groups/record.js';
import type { Opener } from '../../domain/kernel/sealed.js';
import type { Table } from '../../domain/kernel/table.js';
import type { Document, Entry, ListQuery, Page } from '../../read-model/port.js';
import { streamOf } from '../fold/fold.js';
import { DurableModel } from '../testing/durable-model.js';
import { DRIVE_A, EngineSpec, SPEC_SCHEMA } from '../testing/engine.js';
import { Gate } from '../testing/faulty-events.js';
import { verifyDrive } from './verifier.js';
import { verifyStream } from './verify-drive.js';

const FAMILIES = ['groups', 'contacts'];

describe('verifying a drive', () => {
  let spec: EngineSpec;
  let read_model: DurableModel;

  beforeEach(async () => {
    spec = new EngineSpec();
    await filled();
  });

  const filled = async () => {
    await spec.spawn();
    for (let at = 0; at < 5; at++) await spec.group(`Group ${at}`);
  };
  /** The same with documents that outlive the process. */
  const withDocuments = async () => {
    read_model = new DurableModel(SPEC_SCHEMA);
    spec = new EngineSpec({ read_model });
    await filled();
  };

  const verify = async () => {
    const drive = await spec.drives.open(DRIVE_A);
    return verifyDrive(spec.drives, drive, FAMILIES);
  };

  /** Answers lists of groups otherwise than the model would. */
  const listing = (change: (items: readonly Document[]) => readonly Document[]): void => {
    const list = read_model.list.bind(read_model);
    read_model.list = async (drive_id: string, query: ListQuery): Promise<Page<Document>> => {
      const page = await list(drive_id, query);
      return query.family === 'groups' ? { ...page, items: change(page.items) } : page;
    };
  };

  it('finds nothing where all is well', async () => {
    expect(await verify()).toEqual({
      valid: true,
      checked_events: 6,
      revision: 5,
      first_bad_revision: null,
      reason: null,
      drift_documents: 0,
    });
  });

  it('finds a document that is missing', async () => {
    await withDocuments();
    const { groups } = (await spec.drives.open(DRIVE_A)).state;
    const { id } = [...groups.values()].find(({ name }) => name === 'Group 2')!;
    listing((items) => items.filter((item) => item.id !== id));
    const entries = read_model.entries.bind(read_model);
    read_model.entries = (drive_id, family, ids) =>
      entries(
        drive_id,
        family,
        ids.filter((one) => one !== id),
      );
    const found = { valid: false, checked_events: 6, drift_documents: 1, first_bad_revision: 3 };
    expect(await verify()).toMatchObject(found);
  });

  it('finds a document that nobody knows', async () => {
    await withDocuments();
    const unknown = 'GroupID_unknown';
    listing((items) => [...items, { ...items[0]!, id: unknown }]);
    const entries = read_model.entries.bind(read_model);
    read_model.entries = async (drive_id, family, ids) => [
      ...(await entries(drive_id, family, ids)),
      ...(ids.includes(unknown) ? [{ family, id: unknown, revision: 1, fingerprint: '' }] : []),
    ];
    const found = { valid: false, checked_events: 6, drift_documents: 1, first_bad_revision: 5 };
    expect(await verify()).toMatchObject(found);
  });

  it.each<[string, (entry: Entry) => Entry]>([
    ['is of another revision', (entry) => ({ ...entry, revision: 1 })],
    ['was made of another record', (entry) => ({ ...entry, fingerprint: 'another' })],
  ])('finds a document that %s', async (_, change) => {
    await withDocuments();
    const entries = read_model.entries.bind(read_model);
    read_model.entries = async (drive_id, family, ids) =>
      (await entries(drive_id, family, ids)).map((entry) =>
        family === 'groups' && entry.revision === 3 ? change(entry) : entry,
      );
    expect(await verify()).toMatchObject({ drift_documents: 1, first_bad_revision: 3 });
  });

  it.each<[string, (groups: Table<Group>, group: Group) => void]>([
    ['is missing', (groups, { id }) => groups.remove(id)],
    ['differs', (groups, group) => groups.put({ ...group, name: 'Another' })],
  ])('finds a record in use that %s', async (_, change) => {
    const { groups } = (await spec.drives.open(DRIVE_A)).state;
    const group = [...groups.values()].find(({ name }) => name === 'Group 2')!;
    change(groups, group);
    expect(await verify()).toMatchObject({ drift_documents: 1, first_bad_revision: 3 });
  });

  it('takes no record in use for a wrong one whose event is being appended, or fails', async () => {
    const { keyring } = await spec.drives.open(DRIVE_A);
    const { open } = keyring;
    const gate = new Gate();
    spec.events.onAppend(async () => {
      await gate.pass();
      throw new Error('the disk is full');
    });
    const failing = spec.group('Fails').catch((error: unknown) => error);
    await gate.reached;
    let later: Promise<unknown> | undefined;
    // The first record is being read.
    (keyring as { open: Opener }).open = (value, field) => {
      later ??= spec.group('Meanwhile');
      gate.open();
      return open(value, field);
    };
    expect(await verify()).toMatchObject({ valid: true, drift_documents: 0 });
    expect(await failing).toMatchObject({ reason: 'store-failed' });
    await expect(later).resolves.toHaveProperty('data');
  });

  it('takes no document that changes meanwhile for a wrong one', async () => {
    await withDocuments();
    listing((items) => {
      // One more while the documents are looked at.
      void spec.group('Meanwhile', 'GroupID_meanwhile');
      return items;
    });
    expect(await verify()).toMatchObject({ valid: true, drift_documents: 0 });
  });

  it('of which nobody knows the head checks what the store has', async () => {
    const { events, side } = spec;
    const { checked, findings } = await verifyStream({ drive_id: DRIVE_A, events, side });
    expect(findings.verification(checked.size)).toMatchObject({ valid: true, checked_events: 6 });
  });

  it('is independent of the order in which a store answers', async () => {
    for (let at = 5; at < 400; at++) await spec.group(`Group ${at}`);
    const { events, side } = spec;
    const answered: number[] = [];
    const readStream = events.readStream.bind(events);
    let answerSecond = (): void => {};
    const third_answered = new Promise<void>((resolve) => (answerSecond = resolve));
    events.readStream = async (stream, from, direction, limit) => {
      const page = await readStream(stream, from, direction, limit);
      // Of the pages that are prefetched together, the first one arrives last.
      if (from === 64) await third_answered;
      if (from === 192) answerSecond();
      answered.push(from);
      return page;
    };
    const { checked, findings } = await verifyStream({ drive_id: DRIVE_A, events, side });
    expect(answered.slice(0, 3)).toEqual([0, 192, 64]);
    expect(findings.verification(checked.size)).toMatchObject({ valid: true, checked_events: 401 });
  });

  it('misses an end that the index of events knows of', async () => {
    const { events, side } = spec;
    const position = { revision: 9, event_hash: new Uint8Array(32) };
    const index = Object.assign(Object.create(side.index) as typeof side.index, {
      position: async () => position,
      firstDifference: async () => null,
    });
    const { checked, findings } = await verifyStream({ drive_id: DRIVE_A, events, side, index });
    expect(findings.verification(checked.size)).toMatchObject({
      valid: false,
      first_bad_revision: 6,
      reason: 'The stream ends before revision 9, which the index of events covers.',
    });
  });

  it('misses an end that tiles know of', async () => {
    const { events, side } = spec;
    const hashes = new Uint8Array(32 * 256);
    const event_hash = new Uint8Array(32);
    await side.tiles.put([
      { drive_id: DRIVE_A, level: 0, index: 0, revision: 255, event_hash, hashes },
    ]);
    const { checked, findings } = await verifyStream({ drive_id: DRIVE_A, events, side });
    expect(findings.verification(checked.size)).toMatchObject({
      valid: false,
      first_bad_revision: 6,
      reason: 'The stream ends before revision 255, which the log’s tiles cover.',
    });
  });

  it('does not miss events that others stored, with their tile, after its head was known', async () => {
    const { events, side } = spec;
    const { revision, last_hash: hash } = (await spec.drives.open(DRIVE_A)).head;
    for (let at = 5; at < 300; at++) await spec.group(`Group ${at}`);
    const [event] = await events.readStream(streamOf(DRIVE_A), 255, 'forward', 1);
    const hashes = new Uint8Array(32 * 256);
    const tile = { drive_id: DRIVE_A, level: 0, index: 0, revision: 255, hashes };
    await side.tiles.put([{ ...tile, event_hash: event!.hash }]);
    const verified = async () => {
      const head = { revision, hash };
      const { checked, findings } = await verifyStream({ drive_id: DRIVE_A, events, side, head });
      return findings.verification(checked.size);
    };
    expect(await verified()).toMatchObject({ valid: true, checked_events: revision + 1 });
    await side.tiles.drop(DRIVE_A);
    await side.tiles.put([{ ...tile, event_hash: new Uint8Array(32) }]);
    expect(await verified()).toMatchObject({ valid: false, first_bad_revision: revision + 1 });
  });

  describe('of which a server shows the last events late', () => {
    /** Shows only events before 4; all of them from some read of later ones on. */
    const late = (all_from_read: number): { reads: number } => {
      const told = { reads: 0 };
      const readStream = spec.events.readStream.bind(spec.events);
      const isShown = (revision: number, from: number) => {
        if (from >= 4 && revision === from) told.reads++;
        return revision < 4 || told.reads >= all_from_read;
      };
      spec.events.readStream = async (stream, from, direction, limit) => {
        const page = await readStream(stream, from, direction, limit);
        return page.filter(({ revision }) => isShown(revision, from));
      };
      return told;
    };
    const hashAt = async (revision: number): Promise<Uint8Array> => {
      const [event] = await spec.events.readStream(streamOf(DRIVE_A), revision, 'forward', 1);
      return event!.hash;
    };
    /** Verifies a drive whose last acknowledged event is this one. */
    const verified = async (
      head: { readonly revision: number; readonly hash: Uint8Array },
      most_rechecks?: number,
    ) => {
      const { events, side } = spec;
      const rechecks = most_rechecks === undefined ? {} : { most_rechecks };
      const input = { drive_id: DRIVE_A, events, side, head, ...rechecks };
      const { checked, findings } = await verifyStream(input);
      return findings.verification(checked.size);
    };

    it('waits for acknowledged events', async () => {
      const head = { revision: 5, hash: await hashAt(5) };
      late(3);
      expect(await verified(head)).toMatchObject({ valid: true, checked_events: 6 });
    });

    it('waits for events that tiles know of', async () => {
      const head = { revision: 3, hash: await hashAt(3) };
      const tile = { drive_id: DRIVE_A, level: 0, index: 0, revision: 5 };
      const [event_hash, hashes] = [await hashAt(5), new Uint8Array(32)];
      await spec.side.tiles.put([{ ...tile, event_hash, hashes }]);
      late(3);
      expect(await verified(head)).toMatchObject({ valid: true, checked_events: 4 });
    });

    it('misses them once it has read often enough', async () => {
      const head = { revision: 5, hash: await hashAt(5) };
      const told = late(Infinity);
      expect(await verified(head, 2)).toMatchObject({
        valid: false,
        first_bad_revision: 4,
        reason: 'The stream ends before revision 5, which was acknowledged.',
      });
      expect(told.reads).toBeGreaterThan(2);
    });
  });
});
