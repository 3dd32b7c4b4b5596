import { contactCommands } from '../../domain/contacts/commands.js';
import { webhookCommands } from '../../domain/webhooks/commands.js';
import { DRIVE_KEY_ID, SEALED } from '../../domain/kernel/sealed.js';
import { MemorySideStores } from '../../event-store/memory/index.js';
import { MemoryEventStore } from '../../event-store/sqlite/memory-event-store.js';
import { BrokenFile, lineOf, partsOf, type StreamPart } from '../../proofs/stream-file.js';
import { Malformed } from '../../proofs/hashes.js';
import { FACTORY_ID, streamOf } from '../fold/fold.js';
import { DRIVE_A, EngineSpec, type EngineSpecOptions } from '../testing/engine.js';
import { compareStreams } from './compare.js';
import { exportedKeys, exportedParts, planExport } from './export.js';
import { type ImportedStream, type ImportInput, importStreams } from './import.js';
import type { KeySource } from './survey.js';

const DRIVE_B = 'DriveID_b';
const ANN = 'UserID_ann';
const contact = (id: string, key: string) => ({
  id,
  name: `Name of ${id}`,
  fresh: {
    subject_key_id: key,
    invite_id: `GroupInviteID_${key}`,
    code: 'RedeemTokenID_code',
    code_digest: 'digest',
  },
});

/** An export held in memory. */
interface Exported {
  readonly lines: string[];
  readonly keys: KeySource;
}

async function exported(spec: EngineSpec, drive_ids?: readonly string[]): Promise<Exported> {
  const plan = await planExport(spec.events, { drive_ids });
  const keys = new Map<string, ReadonlyMap<string, Uint8Array>>();
  const lines: string[] = [];
  const erased = async (drive_id: string, key_ids: ReadonlySet<string>) =>
    void keys.set(drive_id, await exportedKeys(spec.side.keys, drive_id, key_ids));
  for await (const part of exportedParts(spec.events, plan, { now: spec.now, erased }))
    lines.push(lineOf(part));
  return {
    lines,
    keys: {
      export_id: plan.export_id,
      keysOf: async (drive_id) => keys.get(drive_id) ?? null,
    },
  };
}

async function imported(
  spec: EngineSpec,
  lines: readonly string[],
  more: Partial<ImportInput> = {},
): Promise<ImportedStream[]> {
  const done: ImportedStream[] = [];
  const parts = (): AsyncIterable<StreamPart> => partsOf(lines);
  for await (const one of importStreams({ drives: spec.drives, parts, ...more })) done.push(one);
  return done;
}

describe('export and import', () => {
  let source: EngineSpec;
  let target: EngineSpec;
  const target_of = (options?: EngineSpecOptions) => new EngineSpec(options);

  beforeEach(async () => {
    source = new EngineSpec();
    await source.spawn();
    for (let at = 0; at < 30; at++) await source.group(`Group ${at}`);
    await source.run(contactCommands.CreateContact, contact(ANN, 'subject-ann'));
    await source.spawn(DRIVE_B);
    target = target_of();
  });

  const stored = async (spec: EngineSpec, drive_id = DRIVE_A) =>
    (await spec.events.readStream(streamOf(drive_id), 0, 'forward', 1000)).map(
      ({ position: _, ...event }) => ({ ...event, hash: Buffer.from(event.hash).toString('hex') }),
    );
  const nameOfAnn = async (spec: EngineSpec): Promise<string> => {
    const { state, keyring } = await spec.drives.open(DRIVE_A);
    return keyring.open(state.contacts.get(ANN)!.name, 'name');
  };

  it('carry a drive over byte for byte, with its keys, named by the factory that is there', async () => {
    const { lines, keys } = await exported(source, [DRIVE_A]);
    const [done, ...none] = await imported(target, lines, { keys });
    expect(none).toEqual([]);
    expect(await stored(target)).toEqual(await stored(source));
    const drive = await source.drives.open(DRIVE_A);
    expect(done).toEqual({
      drive_id: DRIVE_A,
      events: 32,
      written: 32,
      chain_hash: Buffer.from(drive.head.last_hash).toString('hex'),
      state_hash: drive.folded.hash.root(),
      missing_keys: 0,
      contents: 0,
      missing_contents: 0,
      omitted: [],
      unknown_types: [],
    });
    expect(await target.drives.exists(DRIVE_A)).toBe(true);
    expect(await nameOfAnn(target)).toBe(`Name of ${ANN}`);
    const factory = await stored(target, FACTORY_ID);
    expect(factory.map(({ type }) => type)).toEqual(['DriveImportBegun', 'DriveImported']);
    expect(JSON.parse(factory[1]!.data)).toEqual({
      drive_id: DRIVE_A,
      revision: 31,
      chain_hash: done!.chain_hash,
    });
    expect(await target.group('Made here')).toMatchObject({ revision: 32 });
  });

  it('carry everything over, the factory’s own stream too', async () => {
    const { lines, keys } = await exported(source);
    const done = await imported(target, lines, { keys });
    expect(done.map(({ drive_id }) => drive_id)).toEqual([DRIVE_A, DRIVE_B, FACTORY_ID]);
    for (const drive_id of [DRIVE_A, DRIVE_B, FACTORY_ID]) {
      expect(await stored(target, drive_id)).toEqual(await stored(source, drive_id));
      const compared = await compareStreams({
        ...{ drive_id, source: source.events, target: target.events },
        events: (await stored(source, drive_id)).length,
        every: 5,
      });
      expect(compared).toMatchObject({ differs_at: null });
    }
    expect(await target.restarted().drives.all()).toEqual([DRIVE_A, DRIVE_B]);
  });

  it('of everything close each drive to a service beside it until the factory is there, too', async () => {
    const { lines, keys } = await exported(source);
    const beside = await target.beside();
    const parts = (): AsyncIterable<StreamPart> => partsOf(lines);
    const importing = importStreams({ drives: target.drives, parts, keys });
    expect((await importing.next()).value).toMatchObject({ drive_id: DRIVE_A });
    await expect(beside.drives.exists(DRIVE_A)).rejects.toThrow('importing');
    expect(await beside.drives.exists('DriveID_nobody')).toBe(false);
    while (!(await importing.next()).done);
    expect(await beside.drives.exists(DRIVE_A)).toBe(true);
    expect(await beside.drives.exists(DRIVE_B)).toBe(true);
    await beside.drives.close();
  });

  it('of everything that are broken off leave each drive closed to a service alone, too', async () => {
    const { lines, keys } = await exported(source);
    const parts = (): AsyncIterable<StreamPart> => partsOf(lines);
    const importing = importStreams({ drives: target.drives, parts, keys });
    await importing.next();
    await importing.return(undefined as never);
    const alone = target.restarted();
    await expect(alone.drives.exists(DRIVE_A)).rejects.toMatchObject({ reason: 'importing' });
    expect(await alone.drives.exists('DriveID_nobody')).toBe(false);
    await imported(alone, lines, { keys });
    expect(await alone.restarted().drives.exists(DRIVE_A)).toBe(true);
  });

  it('do nothing when everything is there already', async () => {
    const { lines, keys } = await exported(source);
    await imported(target, lines, { keys });
    const appends = target.events.asked.length;
    for (const more of [{}, { keys }]) {
      const again = await imported(target.restarted(), lines, more);
      expect(again.map(({ written }) => written)).toEqual([0, 0, 0]);
    }
    const next = target.restarted();
    await next.group('Later');
    expect((await imported(next, lines))[0]).toMatchObject({ written: 0 });
    expect(target.events.asked.length).toBe(appends);
  });

  it('of one drive do nothing the second time', async () => {
    const { lines, keys } = await exported(source, [DRIVE_B]);
    await imported(target, lines, { keys });
    const next = target.restarted();
    expect(await imported(next, lines, { keys })).toMatchObject([{ written: 0 }]);
    expect(await stored(next, FACTORY_ID)).toHaveLength(2);
  });

  it('leave a drive closed until it is there whole, and go on where an abort left it', async () => {
    const { lines, keys } = await exported(source, [DRIVE_A]);
    const abort = new AbortController();
    const broken_off = imported(target, lines, {
      keys,
      max_append_bytes: 2000,
      signal: abort.signal,
      progress: (phase) => {
        if (phase === 'check')
          target.events.onAppend(async (store) => {
            const result = await store();
            abort.abort(new Error('stopped'));
            return result;
          });
      },
    });
    await expect(broken_off).rejects.toThrow('stopped');
    const there = (await stored(target)).length;
    const next = target.restarted();
    await expect(next.drives.exists(DRIVE_A)).rejects.toMatchObject({ reason: 'importing' });
    const [done] = await imported(next, lines, { keys });
    expect(done).toMatchObject({ written: 32 - there });
    expect(await stored(next)).toEqual(await stored(source));
    expect(await next.drives.exists(DRIVE_A)).toBe(true);
    expect(await stored(next, FACTORY_ID)).toHaveLength(2);
  });

  it('that bring no keys show what is sealed as sealed, and change nothing; keys may come later', async () => {
    const { lines, keys } = await exported(source, [DRIVE_A]);
    const [done] = await imported(target, lines);
    expect(done).toMatchObject({ missing_keys: 3, written: 32 });
    expect(await nameOfAnn(target)).toBe(SEALED);
    await expect(target.group('New')).rejects.toMatchObject({ reason: 'sealed' });
    const next = target.restarted();
    expect(await imported(next, lines, { keys })).toMatchObject([{ written: 0, missing_keys: 0 }]);
    const later = next.restarted();
    expect(await nameOfAnn(later)).toBe(`Name of ${ANN}`);
    await later.group('New');
  });

  it('carry no key of anybody who was erased, and destroy what is left of them', async () => {
    await source.run(contactCommands.CreateContact, contact('UserID_ben', 'subject-ben'));
    const ben = await source.side.keys.get(DRIVE_A, 'subject-ben');
    await source.run(contactCommands.EraseContact, { id: 'UserID_ben' });
    const { lines, keys } = await exported(source, [DRIVE_A]);
    const held = await keys.keysOf(DRIVE_A, new Set());
    expect([...held!.keys()].toSorted()).toEqual([DRIVE_KEY_ID, 'subject-ann', 'subject-owner']);
    // A key that an older export still had.
    await target.side.keys.put(DRIVE_A, new Map([['subject-ben', ben!]]));
    const older = new Map([...held!, ['subject-ben', ben!]]);
    const [done] = await imported(target, lines, { keys: { keysOf: async () => older } });
    expect(done).toMatchObject({ missing_keys: 0 });
    expect(await target.side.keys.get(DRIVE_A, 'subject-ben')).toBeNull();
    const { folded } = await target.drives.loader.load(DRIVE_A, { to: 32 });
    const { keyring } = await target.drives.open(DRIVE_A);
    expect(keyring.open(folded.state.contacts.get('UserID_ben')!.name, 'name')).toBe('[erased]');
  });

  it('set webhooks to the end before the drive opens', async () => {
    await source.run(webhookCommands.CreateWebhook, {
      alt_index: 'INBOX_NEW_MAIL',
      url: 'https://receiver.example/hook',
      event: 'org.inbox.new_mail',
      fresh: { webhook_id: 'WebhookID_1', secret: 'whsec_1' },
    } as never);
    const { lines, keys } = await exported(source, [DRIVE_A]);
    await target.side.jobs.open(
      { drive_id: DRIVE_A, revision: 3, event_hash: Buffer.alloc(32) },
      1,
    );
    await imported(target, lines, { keys });
    const reactor = await target.side.jobs.reactor(DRIVE_A);
    const { head } = await source.drives.open(DRIVE_A);
    expect(reactor).toMatchObject({ revision: head.revision, event_hash: head.last_hash });
  });

  describe('refuse', () => {
    it.each<[string, (lines: string[]) => string[], RegExp]>([
      [
        'a changed byte',
        (all) => all.with(9, all[9]!.replace('Group', 'Grope')),
        /revision 8: its hash/,
      ],
      ['an event left out', (all) => all.toSpliced(9, 1), /revision 8: it is missing/],
      ['a file that was cut off', (all) => all.slice(0, 20), /revision 19: the file is truncated/],
      ['a cut file with an end', (all) => all.toSpliced(20, 5), /revision 19: it is missing/],
    ])('%s, before anything is written', async (_, change, says) => {
      const { lines } = await exported(source, [DRIVE_A]);
      await expect(imported(target, change(lines))).rejects.toThrow(says);
      await expect(imported(target, change(lines))).rejects.toThrow(BrokenFile);
      expect(target.events.asked).toEqual([]);
    });

    it('what changes between its check and its import at the point of damage', async () => {
      const { lines } = await exported(source, [DRIVE_A]);
      const changed = lines.with(20, lines[20]!.replace('Group', 'Grope'));
      let pass = 0;
      const parts = () => partsOf(++pass === 1 ? lines : changed);
      const running = imported(target, [], { parts, max_append_bytes: 1500 });
      await expect(running).rejects.toThrow(/revision 19: its hash/);
      expect((await stored(target)).length).toBeLessThanOrEqual(19);
      await expect(target.restarted().drives.exists(DRIVE_A)).rejects.toMatchObject({
        reason: 'importing',
      });
      expect(await imported(target.restarted(), lines)).toHaveLength(1);
    });

    it('a drive with another past, naming the revision', async () => {
      const { lines } = await exported(source, [DRIVE_A]);
      await target.spawn();
      await expect(imported(target, lines)).rejects.toThrow(
        `${DRIVE_A}: a stream of this id with a diverging history exists here: revision 0 has another hash`,
      );
      for (let at = 0; at < 40; at++) await target.group(`Other ${at}`);
      await expect(imported(target, lines)).rejects.toMatchObject({ revision: 31 });
    });

    it('to go on with a drive that is in use', async () => {
      const { lines, keys } = await exported(source, [DRIVE_A]);
      await imported(target, lines, { keys });
      await source.group('One more');
      const later = await exported(source, [DRIVE_A]);
      await expect(imported(target.restarted(), later.lines)).rejects.toMatchObject({
        revision: 31,
        message: expect.stringContaining('a drive in use takes no import'),
      });
    });

    it('a factory with another past; its drives may come alone, or without it', async () => {
      const { lines, keys } = await exported(source);
      await target.spawn('DriveID_c');
      await expect(imported(target, lines, { keys })).rejects.toMatchObject({
        drive_id: FACTORY_ID,
        revision: 0,
        message: expect.stringContaining('--without-factory'),
      });
      expect(await target.events.head(streamOf(DRIVE_A))).toBeNull();
      const one = await imported(target, lines, { keys, drive_ids: [DRIVE_B] });
      expect(one.map(({ drive_id }) => drive_id)).toEqual([DRIVE_B]);
      await imported(target, lines, { keys, without_factory: true });
      expect(await target.drives.all()).toEqual(['DriveID_c', DRIVE_B, DRIVE_A]);
    });

    it('keys of another export, other keys than are there, and files that hold no streams', async () => {
      const { lines, keys } = await exported(source, [DRIVE_A]);
      const { keys: others } = await exported(source, [DRIVE_A]);
      await expect(imported(target, lines, { keys: others })).rejects.toThrow('another export');
      await target.side.keys.put(DRIVE_A, new Map([[DRIVE_KEY_ID, Buffer.alloc(32, 1)]]));
      await expect(imported(target, lines, { keys })).rejects.toThrow(
        'another key drive exists here',
      );
      await expect(imported(target, ['{"a":1}'])).rejects.toThrow(Malformed);
      await expect(imported(target, lines, { drive_ids: [DRIVE_B] })).rejects.toThrow(
        `${DRIVE_B}: it is not in the file`,
      );
    });

    it('to export what is not there, or not whole', async () => {
      await expect(planExport(target.events)).rejects.toThrow('nothing to export');
      await expect(planExport(source.events, { drive_ids: ['DriveID_x'] })).rejects.toThrow(
        'no organization',
      );
      const { lines } = await exported(source, [DRIVE_A]);
      const abort = AbortSignal.abort(new Error('stopped'));
      target.events.onAppend((store) => store());
      const cut = imported(target, lines, { signal: abort });
      await expect(cut).rejects.toThrow('stopped');
    });

    it('to export a stream that does not fit itself, naming the revision', async () => {
      const events = new MemoryEventStore();
      const broken = new EngineSpec({ events, side: new MemorySideStores() });
      await broken.spawn();
      const read = events.readStream.bind(events);
      events.readStream = async (...asked) =>
        (await read(...asked)).map((event) => ({ ...event, metadata: `${event.metadata} ` }));
      await expect(exported(broken, [DRIVE_A])).rejects.toMatchObject({ revision: 0 });
    });
  });

  it('compare two stores, and tell where they part', async () => {
    const { lines, keys } = await exported(source, [DRIVE_A]);
    await imported(target, lines, { keys });
    const { events } = target;
    const compare = (every: number) =>
      compareStreams({
        drive_id: DRIVE_A,
        source: source.events,
        target: events,
        events: 32,
        every,
      });
    expect(await compare(10)).toMatchObject({ points: 4, differs_at: null });
    const read = events.readFoldable.bind(events);
    events.readFoldable = async (...asked) =>
      (await read(...asked)).map((event) =>
        event.revision === 12 ? { ...event, data: event.data.replace('Group', 'Grope') } : event,
      );
    expect(await compare(10)).toMatchObject({ points: 2, differs_at: 19 });
  });
});
