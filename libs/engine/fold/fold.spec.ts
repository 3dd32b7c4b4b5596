import { jest } from '@jest/globals';
import { groupCommands } from '../../domain/groups/definitions.js';
import { inviteFamily } from '../../domain/groups/record.js';
import { MemoryEventStore } from '../../event-store/sqlite/memory-event-store.js';
import type { StoredEvent } from '../../event-store/port.js';
import { BrokenStream, emptyState, foldOnto, streamOf } from './fold.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { estimatedBytes, TooLarge } from './state-bytes.js';
import { Abandoned, runForQuery } from '../tasks/long-query.js';
import { FaultyEvents } from '../testing/faulty-events.js';
import { TurnCounter, until } from '../testing/turn-counter.js';

const EVENTS = 12;

describe('folding a stream', () => {
  let spec: EngineSpec;
  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    for (let at = 1; at < EVENTS; at++) await spec.group(`G${at}`);
  });

  const fold = async (to = Infinity, verify = false) => {
    const folded = emptyState(DRIVE_A);
    const result = await foldOnto(folded, spec.events, { to, verify });
    return { ...folded, ...result };
  };
  /** The store hands out its events changed. */
  const tampered = (change: (event: StoredEvent) => StoredEvent | null): void =>
    spec.events.onRead(async (read) =>
      (await read()).map(change).filter((event) => event !== null),
    );

  it('goes to the end, or exactly to a revision', async () => {
    expect((await fold()).state.revision).toBe(EVENTS - 1);
    const early = await fold(4);
    expect(early.state.revision).toBe(4);
    expect(early.events_folded).toBe(5);
    expect(early.state.groups.size).toBe(5);
    expect(early.frontier.size).toBe(5);
  });

  it('in steps is the same as at once', async () => {
    const folded = emptyState(DRIVE_A);
    for (const to of [0, 3, 3, 7, Infinity]) await foldOnto(folded, spec.events, { to });
    const whole = await fold();
    expect(folded.hash.root()).toBe(whole.hash.root());
    expect(folded.frontier.toJSON()).toEqual(whole.frontier.toJSON());
  });

  it('tells which records each event changed, last those of the last', async () => {
    const touched: string[][] = [];
    const folded = emptyState(DRIVE_A);
    const { last_touched } = await foldOnto(folded, spec.events, {
      to: 2,
      touched: (keys) => touched.push(keys.map(({ family }) => family)),
    });
    expect(touched).toEqual([
      ['organization', 'contacts', 'drives', 'groups', 'group_invites', 'system_permissions'],
      ['groups', 'group_invites'],
      ['groups', 'group_invites'],
    ]);
    expect(last_touched.map(({ family }) => family)).toEqual(['groups', 'group_invites']);
  });

  it('pages through long streams and tells how far it is', async () => {
    await Promise.all(Array.from({ length: 2_500 }, (_, at) => spec.note(at)));
    const progress: number[] = [];
    const folded = emptyState(DRIVE_A);
    await foldOnto(folded, spec.events, {
      to: Infinity,
      progress: (events) => progress.push(events),
    });
    const grown = [64, 192, 320, 576, 832];
    const whole = [1, 2, 3].map((pages) => 832 + 500 * pages);
    expect(progress).toEqual([...grown, ...whole, 2500 + EVENTS]);
  });

  it('gives the event loop its turns, however many fold at one time', async () => {
    await Promise.all(Array.from({ length: 2_000 }, (_, at) => spec.note(at)));
    const turns = new TurnCounter().start();
    const slow = async (): Promise<void> => {
      await foldOnto(emptyState(DRIVE_A), spec.events, {
        to: Infinity,
        // As long as an event that changes many records.
        touched: () => until(performance.now() + 0.1),
      });
    };
    await Promise.all([slow(), slow(), slow()]);
    // 600 ms of work in stretches of 5 ms.
    expect(turns.stop()).toBeGreaterThan(50);
  });

  it('prepares in turns what an event needs that many records must be read for', async () => {
    await Promise.all(
      Array.from({ length: 1_200 }, (_, at) => spec.group(`H${at}`, `GroupID_h${at}`)),
    );
    const id = 'GroupID_h600';
    expect(await spec.run(groupCommands.DeleteGroup, { id })).toMatchObject({ data: { id } });
    const { group } = inviteFamily.indexes!;
    const turns = new TurnCounter();
    const indexing = jest.spyOn(inviteFamily.indexes!, 'group').mockImplementation((invite) => {
      if (indexing.mock.calls.length === 1) turns.start();
      until(performance.now() + 0.1);
      return group!(invite);
    });
    const { state, hash, last_touched } = await fold();
    indexing.mockRestore();
    // 120 ms of work in stretches of 5 ms.
    expect(turns.stop()).toBeGreaterThan(10);
    expect(state.groups.has(id)).toBe(false);
    expect(last_touched.map(({ family }) => family)).toEqual(['group_invites', 'groups']);
    expect(hash.root()).toBe((await spec.drives.open(DRIVE_A)).folded.hash.root());
  });

  it('stops once the state takes more memory than it may', async () => {
    const folded = emptyState(DRIVE_A);
    const most_bytes = estimatedBytes((await fold(4)).state);
    const folding = foldOnto(folded, spec.events, { to: Infinity, most_bytes });
    await expect(folding).rejects.toThrow(TooLarge);
    await expect(
      foldOnto(emptyState(DRIVE_A), spec.events, { to: 4, most_bytes }),
    ).resolves.toMatchObject({ events_folded: 5 });
  });

  it('ends when nobody waits for the answer any more', async () => {
    await Promise.all(Array.from({ length: 2_000 }, (_, at) => spec.note(at)));
    const gone = new AbortController();
    let events = 0;
    const folded = (some: number) => (events += some);
    const query = { signal: gone.signal, begin() {}, folded, end() {} };
    const folding = runForQuery(query, () =>
      foldOnto(emptyState(DRIVE_A), spec.events, {
        to: Infinity,
        touched: (_, { revision }) => {
          if (revision === 100) gone.abort();
          until(performance.now() + 0.1);
        },
      }),
    );
    await expect(folding).rejects.toThrow(Abandoned);
    expect(events).toBeLessThan(1_000);
    const begun = runForQuery(query, () => fold());
    await expect(begun).rejects.toThrow(Abandoned);
  });

  it('leaves nothing to undo', async () => {
    expect((await fold()).state.undo_log.mark()).toBe(0);
  });

  it('of nothing is nothing', async () => {
    const folded = emptyState('DriveID_none');
    const result = await foldOnto(folded, spec.events, { to: Infinity });
    expect(result).toEqual({ events_folded: 0, last_event: null, last_touched: [] });
  });

  it.each([0, 1, 5, EVENTS - 2])('stops at a gap at revision %i', async (missing) => {
    tampered((event) => (event.revision === missing ? null : event));
    await expect(fold()).rejects.toMatchObject({ name: 'BrokenStream', revision: missing });
  });

  it('stops at an event that comes twice', async () => {
    spec.events.onRead(async (read) => {
      const [first, ...others] = await read();
      return [first!, first!, ...others];
    });
    await expect(fold()).rejects.toBeInstanceOf(BrokenStream);
  });

  describe('with every hash checked', () => {
    it('finds nothing in a sound stream', async () => {
      expect((await fold(Infinity, true)).state.revision).toBe(EVENTS - 1);
    });

    const changes: readonly [string, (event: StoredEvent) => StoredEvent][] = [
      ['data', (event) => ({ ...event, data: event.data.replace(/[0-9a-z]"/, '_"') })],
      ['metadata', (event) => ({ ...event, metadata: event.metadata.replace('spec', 'spic') })],
      ['timestamp', (event) => ({ ...event, timestamp_ms: event.timestamp_ms + 1 })],
      ['event id', (event) => ({ ...event, event_id: `${event.event_id.slice(0, -1)}_` })],
      ['version', (event) => ({ ...event, version: 2 })],
      ['hash', (event) => ({ ...event, hash: event.hash.map((byte, at) => (at ? byte : ~byte)) })],
    ];
    it.each(changes)('finds a changed %s at any revision', async (_, change) => {
      for (let revision = 1; revision < EVENTS; revision++) {
        tampered((event) => (event.revision === revision ? change(event) : event));
        await expect(fold(Infinity, true)).rejects.toMatchObject({
          revision,
          reason: 'the hash does not match',
        });
      }
    });

    it('finds every changed byte of a body', async () => {
      const [event] = await spec.events.readStream(streamOf(DRIVE_A), 3, 'forward', 1);
      for (let at = 0; at < event!.data.length; at++) {
        const data = event!.data.slice(0, at) + '\u0001' + event!.data.slice(at + 1);
        tampered((stored) => (stored.revision === 3 ? { ...stored, data } : stored));
        await expect(fold(Infinity, true)).rejects.toMatchObject({ revision: 3 });
      }
    });

    it('finds two events that changed places', async () => {
      tampered((event) =>
        event.revision === 4 || event.revision === 5
          ? { ...event, revision: 9 - event.revision }
          : event,
      );
      await expect(fold(Infinity, true)).rejects.toBeInstanceOf(BrokenStream);
    });

    it('finds a stream that belongs to another drive', async () => {
      const store = new MemoryEventStore();
      const stored = await spec.events.readStream(streamOf(DRIVE_A), 0, 'forward', EVENTS);
      await store.append(streamOf('DriveID_b'), -1, stored);
      const folded = emptyState('DriveID_b');
      const folding = foldOnto(folded, new FaultyEvents(store), { to: Infinity, verify: true });
      await expect(folding).rejects.toMatchObject({ revision: 0 });
    });
  });
});
