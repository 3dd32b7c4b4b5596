import { MemoryEventStore } from '../../event-store/sqlite/memory-event-store.js';
import type { Direction, NewEvent } from '../../event-store/port.js';
import { DRIVE_A, EngineSpec, Note, PEER } from '../testing/engine.js';
import { VirtualTime } from '../testing/virtual-time.js';
import { WriteTurns } from './write-turns.js';

/** From a process to the store, or back. */
const WAY_MS = 0.5;
const WRITERS = 4;
/** The time after which processes know of each other, and the time in which answers count. */
const MEET_MS = 600;
const LASTS_MS = 1_000;

/** A store as far away as a server. */
class DistantEvents extends MemoryEventStore {
  constructor(private readonly away: VirtualTime) {
    super();
  }

  override append(stream: string, expected_revision: number, events: readonly NewEvent[]) {
    return this.there(() => super.append(stream, expected_revision, events));
  }

  override readStream(stream: string, from: number, direction: Direction, limit: number) {
    return this.there(() => super.readStream(stream, from, direction, limit));
  }

  override head(stream: string) {
    return this.there(() => super.head(stream));
  }

  private async there<T>(ask: () => Promise<T>): Promise<T> {
    await this.away.wait(WAY_MS);
    try {
      return await ask();
    } finally {
      await this.away.wait(WAY_MS);
    }
  }
}

describe('processes that write to one drive without a pause', () => {
  it('take turns: no command is given up or waits for long, and both get their share', async () => {
    const time = new VirtualTime();
    const events = new DistantEvents(time);
    const one = new EngineSpec({ events, role: PEER, timer: time });
    await time.until(one.drives.start().then(() => one.spawn()));
    const other = await time.until(one.beside({ timer: time }));
    await time.until(other.drives.open(DRIVE_A));
    const answered = [0, 0];
    let longest_ms = 0;
    const keepAsking = async (engine: EngineSpec, nth: number): Promise<void> => {
      while (time.now() < MEET_MS + LASTS_MS) {
        const asked_ms = time.now();
        await engine.run(Note, { payload: 'a note' });
        longest_ms = Math.max(longest_ms, time.now() - asked_ms);
        if (time.now() > MEET_MS) answered[nth]! += 1;
      }
    };
    const writers = [one, other].flatMap((engine, nth) =>
      Array.from({ length: WRITERS }, () => keepAsking(engine, nth)),
    );
    await time.until(Promise.all(writers));
    const [mine, theirs] = answered as [number, number];
    expect(Math.min(mine, theirs) / (mine + theirs)).toBeGreaterThan(0.4);
    expect(longest_ms).toBeLessThan(1_000);
    await time.until(Promise.all([one.drives.close(), other.drives.close()]));
  });
});

describe('turns of writers', () => {
  let now = 0;
  let turns: WriteTurns;

  beforeEach(() => {
    now = 10_000;
    turns = new WriteTurns(
      { sole: false },
      { now: () => now, wait: async (ms) => void (now += ms) },
    );
  });

  /** An append that takes a millisecond, `gap_ms` after the last one; how long the others' turn then is, ms. */
  const append = async (gap_ms = 0): Promise<number> => {
    now += gap_ms + 1;
    turns.appended(1);
    const ended = now;
    if (turns.is_others) await turns.leave();
    return now - ended;
  };

  it('are left after appends once others were seen, until three were not used', async () => {
    await append();
    turns.othersWrote();
    const pauses: number[] = [];
    for (let nth = 0; nth < 5; nth++) pauses.push(await append());
    expect(pauses.map((ms) => ms > 0)).toEqual([true, true, true, false, false]);
  });

  it('end when others have written', () => {
    turns.othersWrote();
    turns.appended(1);
    expect(turns.is_others).toBe(true);
    turns.othersWrote();
    expect(turns.is_others).toBe(false);
  });

  it('are left unasked now and then while there are no gaps, and never where there are', async () => {
    const pausesIn = async (gap_ms: number): Promise<number> => {
      let pauses = 0;
      for (const end = now + 10_000; now < end;) if ((await append(gap_ms)) > 0) pauses++;
      return pauses;
    };
    expect(await pausesIn(1)).toBeGreaterThanOrEqual(18);
    expect(await pausesIn(1)).toBeLessThanOrEqual(22);
    expect(await pausesIn(20)).toBeLessThanOrEqual(1);
  });

  it('are never longer than their bound', async () => {
    turns.othersWrote();
    for (let nth = 0; nth < 20; nth++) {
      now += 5_000;
      turns.appended(5_000);
    }
    turns.othersWrote();
    expect(await append()).toBeLessThanOrEqual(250);
  });

  it('are left by no process that is alone on its stores', async () => {
    turns = new WriteTurns(
      { sole: true },
      { now: () => now, wait: async (ms) => void (now += ms) },
    );
    turns.othersWrote();
    expect(await append()).toBe(0);
  });
});
