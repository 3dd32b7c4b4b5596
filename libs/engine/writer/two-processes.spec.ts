import { contactCommands } from '../../domain/contacts/commands.js';
import { groupCommands } from '../../domain/groups/definitions.js';
import { labelCommands } from '../../domain/labels/commands.js';
import { EVERYONE, OWNER } from '../../domain/testing/drive.js';
import { MemoryEventStore } from '../../event-store/sqlite/memory-event-store.js';
import type { StoredEvent } from '../../event-store/port.js';
import { ERASED } from '../../domain/kernel/sealed.js';
import { DRIVE_A, EngineSpec, PEER, request } from '../testing/engine.js';
import { eventually } from '../testing/eventually.js';

/** Subscriptions end or leave events out when told to, and note from where they are opened. */
class FragileEvents extends MemoryEventStore {
  readonly opened_after: number[] = [];
  /** Revision of an event of `DRIVE_A` that no subscription shows. */
  left_out: number | null = null;
  fail_next: boolean | 'at-open' = false;

  override subscribeAll(
    after: number,
    handle: (events: readonly StoredEvent[]) => void | Promise<void>,
    failed?: (error: unknown) => void,
  ) {
    this.opened_after.push(after);
    if (this.fail_next === 'at-open') {
      this.fail_next = false;
      throw new Error('no connection');
    }
    return super.subscribeAll(
      after,
      (events) => {
        if (this.fail_next) {
          this.fail_next = false;
          throw new Error('connection lost');
        }
        const left_out = ({ stream, revision }: StoredEvent): boolean =>
          stream === `drive-${DRIVE_A}` && revision === this.left_out;
        return handle(events.filter((event) => !left_out(event)));
      },
      failed,
    );
  }
}

describe('several processes on shared stores', () => {
  let events: FragileEvents;
  let one: EngineSpec;
  let other: EngineSpec;

  beforeEach(async () => {
    events = new FragileEvents();
    one = new EngineSpec({ events, role: PEER });
    await one.drives.start();
    other = await one.beside();
  });

  afterEach(async () => {
    await Promise.all([one.drives.close(), other.drives.close()]);
  });

  const shows = (on: EngineSpec, name: string) =>
    eventually(async () => (await on.listedGroups()).includes(name));

  it('a drive in memory follows what another process writes, and so does its read model', async () => {
    await one.spawn();
    const drive = await other.drives.open(DRIVE_A);
    const { revision } = await one.group('Made elsewhere');
    await shows(other, 'Made elsewhere');
    expect(drive.head.revision).toBe(revision);
    expect(drive.folded.hash.root()).toBe((await one.folded()).hash.root());
  });

  it('events that it is told of are folded without being read again', async () => {
    await one.spawn();
    const drive = await other.drives.open(DRIVE_A);
    let reads = 0;
    other.events.onRead((read) => (reads++, read()));
    const { revision } = await one.group('Made elsewhere');
    await shows(other, 'Made elsewhere');
    expect(reads).toBe(0);
    expect(drive.folded.hash.root()).toBe((await one.folded()).hash.root());
    // The next event shows that one is missing.
    events.left_out = revision + 1;
    await one.group('Not told');
    await one.group('Told');
    await shows(other, 'Told');
    expect(await other.listedGroups()).toContain('Not told');
    expect(reads).toBe(1);
  });

  it('events that it is told of are folded without being read again, also after commands of its own', async () => {
    await one.spawn();
    await other.drives.open(DRIVE_A);
    await other.group('Own');
    let reads = 0;
    other.events.onRead((read) => (reads++, read()));
    await one.group('Made elsewhere');
    await shows(other, 'Made elsewhere');
    expect(reads).toBe(0);
  });

  it('is read while it waits for a store that does not answer', async () => {
    await one.spawn();
    const drive = await other.drives.open(DRIVE_A);
    const answer = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    other.events.onRead(async (read) => {
      asked.resolve();
      await answer.promise;
      return read();
    });
    const following = drive.follow();
    await asked.promise;
    expect(drive.is_durable).toBe(false);
    const reading = other.drives.read(DRIVE_A, ({ head }) => head.revision);
    await reading.finally(answer.resolve);
    expect(await reading).toBe(drive.head.revision);
    await following;
  });

  it('listeners are told of it', async () => {
    await one.spawn();
    await other.drives.open(DRIVE_A);
    const told: string[] = [];
    other.drives.advances.subscribe(({ drive_id }) => told.push(drive_id));
    await one.group('News');
    await shows(other, 'News');
    expect(told).toContain(DRIVE_A);
  });

  it('however much is written, a drive reads on once at a time and ends up the same', async () => {
    await one.spawn();
    const drive = await other.drives.open(DRIVE_A);
    let running = 0;
    let most = 0;
    const follow = drive.follow.bind(drive);
    drive.follow = async () => {
      most = Math.max(most, ++running);
      await follow().finally(() => running--);
    };
    for (let round = 0; round < 30; round++)
      await Promise.all([one.group(`A${round}`), one.note(round), other.group(`B${round}`)]);
    await shows(other, 'A29');
    await shows(one, 'B29');
    expect(most).toBe(1);
    expect(drive.folded.hash.root()).toBe((await one.folded()).hash.root());
  });

  it('what is written while a drive is being loaded is not missed', async () => {
    await one.spawn();
    let written = false;
    other.events.onFold(async (read) => {
      const page = await read();
      // Behind the page that this load has just read.
      await one.group('In between');
      written = true;
      await new Promise(setImmediate);
      return page;
    });
    await other.drives.open(DRIVE_A);
    expect(written).toBe(true);
    await shows(other, 'In between');
  });

  it.each([true, 'at-open'] as const)(
    'a subscription that ends (%s) is opened again behind what was handled, and misses nothing',
    async (how) => {
      await one.spawn();
      await other.drives.open(DRIVE_A);
      await one.group('Before');
      await shows(other, 'Before');
      const before = events.opened_after.length;
      const position = await events.lastPosition();
      events.fail_next = true;
      await one.group('While it was down');
      await eventually(() => events.fail_next === false);
      if (how === 'at-open') events.fail_next = how;
      await shows(other, 'While it was down');
      await one.group('After');
      await shows(other, 'After');
      await eventually(() => events.opened_after.slice(before).includes(position));
      expect([...one.reports, ...other.reports].map(({ what }) => what)).toContain(
        'subscription ended, reopened',
      );
    },
  );

  it('a drive that cannot read on is tried again, and holds up no other', async () => {
    await one.spawn();
    await one.spawn('DriveID_b');
    const drive = await other.drives.open(DRIVE_A);
    await other.drives.open('DriveID_b');
    const follow = drive.follow.bind(drive);
    drive.follow = () => {
      // It has no events the next time, and reads them.
      drive.follow = follow;
      return Promise.reject(new Error('connection lost'));
    };
    await one.group('Later');
    await one.group('Meanwhile', undefined, { drive_id: 'DriveID_b' });
    await eventually(async () => (await other.listedGroups('DriveID_b')).includes('Meanwhile'));
    await shows(other, 'Later');
    expect(other.reports).toMatchObject([{ what: 'drive does not catch up', drive_id: DRIVE_A }]);
  });

  it('a drive that another process made is there at once', async () => {
    await other.drives.all();
    await one.spawn();
    expect(await other.drives.exists(DRIVE_A)).toBe(true);
    expect(await other.drives.all()).toEqual([DRIVE_A]);
  });

  it('without a subscription it is found by a look at the factory, a second after it was not', async () => {
    await other.drives.close();
    other = new EngineSpec({ events, side: one.side, role: PEER });
    expect(await other.drives.exists(DRIVE_A)).toBe(false);
    await one.spawn();
    expect(await other.drives.exists(DRIVE_A)).toBe(false);
    other.now += 999;
    expect(await other.drives.exists(DRIVE_A)).toBe(false);
    other.now += 1;
    expect(await other.drives.exists(DRIVE_A)).toBe(true);
  });

  it('ids that are no drive’s cost one look at a time, however many ask', async () => {
    await other.drives.all();
    const factory = await other.drives.open('factory');
    let looks = 0;
    const follow = factory.follow.bind(factory);
    factory.follow = () => (looks++, follow());
    const ask = () =>
      Promise.all(Array.from({ length: 50 }, (_, n) => other.drives.exists(`DriveID_none-${n}`)));
    expect(new Set(await ask())).toEqual(new Set([false]));
    expect(looks).toBeLessThanOrEqual(2);
    const before = looks;
    await ask();
    expect(looks).toBe(before);
  });

  it('says that it cannot tell when the store does not answer', async () => {
    await other.drives.all();
    const { head } = other.events;
    other.events.head = () => Promise.reject(new Error('connection lost'));
    await expect(other.drives.exists(DRIVE_A)).rejects.toMatchObject({ reason: 'store-failed' });
    other.events.head = head;
    expect(await other.drives.exists(DRIVE_A)).toBe(false);
  });

  it('of two processes that make one drive, one does', async () => {
    const made = await Promise.allSettled([one.spawn(), other.spawn()]);
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await other.drives.open(DRIVE_A);
    await one.group('Works');
    await shows(other, 'Works');
  });

  it('a person erased elsewhere is forgotten here', async () => {
    const ANN = 'UserID_ann';
    const fresh = { subject_key_id: 'subject-ann', invite_id: 'i', code: '', code_digest: '' };
    await one.spawn();
    await one.run(contactCommands.CreateContact, { id: ANN, name: 'Ann Archer', fresh });
    const drive = await other.drives.open(DRIVE_A);
    const { name } = drive.state.contacts.get(ANN)!;
    expect(drive.keyring.open(name, 'name')).toBe('Ann Archer');
    await one.run(contactCommands.EraseContact, { id: ANN });
    await eventually(() => drive.keyring.open(name, 'name') === ERASED);
    expect(drive.keyring.has('subject-ann')).toBe(false);
  });

  it('users seen by another process are known once it has stored them', async () => {
    const drive = await one.spawn();
    const its = await other.drives.open(DRIVE_A);
    drive.presence.touch(OWNER, one.now);
    await one.side.presence.save(DRIVE_A, drive.presence.takeUnsaved());
    expect(its.presence.lastOnline(OWNER)).toBe(0);
    its.presence.learn(await other.side.presence.load(DRIVE_A), other.now);
    expect(its.presence.lastOnline(OWNER)).toBe(one.now);
    expect(its.presence.takeUnsaved().size).toBe(0);
  });

  it('a deleted contact leaves no time, though the one that deletes it has not read that time', async () => {
    await one.spawn();
    const fresh = { subject_key_id: 'subject-ann', invite_id: 'GroupInviteID_ann' };
    const ann = { id: 'UserID_ann', name: 'Ann' };
    const { CreateContact, DeleteContact } = contactCommands;
    await one.run(CreateContact, { ...ann, fresh: { ...fresh, code: '', code_digest: '' } });
    await other.drives.open(DRIVE_A);
    const { presence } = one.side;
    await presence.save(DRIVE_A, new Map([[ann.id, one.now]]));
    await other.run(DeleteContact, { id: ann.id });
    await eventually(async () => !(await presence.load(DRIVE_A)).has(ann.id));
    expect([...(await presence.load(DRIVE_A)).keys()]).not.toContain(ann.id);
  });

  it('both keep the index of events and the snapshots, and they stay right', async () => {
    await one.spawn();
    await other.drives.open(DRIVE_A);
    for (let round = 0; round < 5; round++) {
      await one.group(`A${round}`);
      await other.group(`B${round}`);
      await Promise.all([one.drives.indexer.flush(), other.drives.indexer.flush()]);
    }
    // The other one wrote last; this one may not know yet.
    const { revision } = (await other.drives.open(DRIVE_A)).head;
    await one.drives.indexer.storedUpTo(DRIVE_A, revision);
    const range = { from: 0, to: Infinity };
    const found = await one.side.index.find(DRIVE_A, {}, range, 'ASC', 100);
    expect(found).toEqual(Array.from({ length: revision + 1 }, (_, at) => at));
  });

  describe('a command that is refused on a state that others have left behind', () => {
    let behind: EngineSpec;

    beforeEach(async () => {
      await one.spawn();
      // Nobody tells it of what others write.
      behind = new EngineSpec({ role: PEER, events, side: one.side });
      await behind.drives.open(DRIVE_A);
    });

    afterEach(() => behind.drives.close());

    const rename = (id: string) => behind.run(groupCommands.UpdateGroup, { id, name: 'Renamed' });

    it('is decided again on all of it', async () => {
      const made = await one.group('Made elsewhere', 'GroupID_elsewhere');
      const outcome = await rename('GroupID_elsewhere');
      expect(outcome).not.toHaveProperty('refusal');
      expect(outcome.revision).toBe(made.revision + 1);
    });

    it('is refused if that does not let it through either', async () => {
      const made = await one.group('Made elsewhere', 'GroupID_elsewhere');
      const outcome = await rename('GroupID_nowhere');
      expect(outcome).toMatchObject({ refusal: { refusal: 'group-not-found' } });
      expect(outcome.revision).toBe(made.revision);
    });

    it('is decided again, too, if it appends nothing because nothing would change', async () => {
      const label_id = 'LabelID_hot';
      const { CreateLabel, PinLabel } = labelCommands;
      const pin = (on: EngineSpec, add: boolean) =>
        on.run(PinLabel, { label_id, resource_id: EVERYONE, add });
      await one.run(CreateLabel, { value: 'hot', fresh: { label_id } });
      await pin(one, true);
      await behind.drives.readOn(DRIVE_A, 0);
      const { revision } = await pin(one, false);
      expect((await pin(behind, true)).revision).toBe(revision + 1);
      const group = (await one.folded()).state.table('groups')!.get(EVERYONE);
      expect(group).toMatchObject({ label_ids: [label_id] });
    });

    it('is decided on all of it among many, too', async () => {
      await one.group('Made elsewhere', 'GroupID_elsewhere');
      const command = { id: 'GroupID_elsewhere', name: 'Renamed' };
      const many = [{ definition: groupCommands.UpdateGroup, command }];
      const asking = request({ kind: 'signature', user_id: OWNER });
      const [outcome] = await behind.drives.commands.runEach(DRIVE_A, many, asking);
      expect(outcome).toMatchObject({ value: { data: { name: 'Renamed' } } });
    });
  });
});
