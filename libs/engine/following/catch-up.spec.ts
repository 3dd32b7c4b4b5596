import type { StoredEvent } from '../../event-store/port.js';
import type { Drive } from '../writer/drive.js';
import { CatchUp } from './catch-up.js';

const MIB = 1024 * 1024;

describe('catching up', () => {
  let head: number;
  let followed: (readonly number[])[];
  /** Lets the drive follow what it has been given. */
  let goOn: () => void;
  let catch_up: CatchUp;

  beforeEach(() => {
    head = -1;
    followed = [];
    let opened = Promise.withResolvers<void>();
    goOn = () => {
      opened.resolve();
      opened = Promise.withResolvers();
    };
    const drive: Partial<Drive> = {
      is_durable: true,
      hasReached: (revision) => head >= revision,
      async follow(events = []) {
        followed.push(events.map(({ revision }) => revision));
        await opened.promise;
        // A drive that is given nothing reads its stream to the end.
        head = events.at(-1)?.revision ?? Infinity;
      },
    };
    catch_up = new CatchUp({
      resident: () => Promise.resolve(drive as Drive),
      timer: () => 0,
      report: (_, __, error) => {
        throw error;
      },
    });
  });

  const event = (revision: number, bytes = 0) => {
    const data = 'x'.repeat(bytes);
    return { stream: 'drive-DriveID_a', revision, position: revision, data, metadata: '' };
  };
  const note = (...events: readonly ReturnType<typeof event>[]): void =>
    catch_up.note(events as readonly Partial<StoredEvent>[] as readonly StoredEvent[], 0);
  const until = async (times: number): Promise<void> => {
    while (followed.length < times) await new Promise(setImmediate);
  };
  const end = async (): Promise<void> => {
    goOn();
    await catch_up.idle();
  };

  it('hands over the events that were told, and later ones afterwards', async () => {
    note(event(0), event(1));
    await until(1);
    note(event(2));
    goOn();
    await until(2);
    await end();
    expect(followed).toEqual([[0, 1], [2]]);
  });

  it('hands over those before a gap, and none twice', async () => {
    note(event(0), event(1), event(1), event(3), event(4));
    await until(1);
    goOn();
    await until(2);
    await end();
    expect(followed).toEqual([[0, 1], []]);
  });

  it('keeps 250 events of a drive', async () => {
    note(...Array.from({ length: 300 }, (_, revision) => event(revision)));
    await until(1);
    goOn();
    await until(2);
    await end();
    expect(followed.map(({ length }) => length)).toEqual([250, 0]);
  });

  it('keeps 16 MiB, and has room again once they are folded', async () => {
    for (const first of [0, 10]) {
      followed = [];
      note(...Array.from({ length: 5 }, (_, nth) => event(first + nth, 5 * MIB)));
      await until(1);
      goOn();
      await until(2);
      // The drive reaches these by reading its stream to the end.
      note(...Array.from({ length: 3 }, (_, nth) => event(first + 5 + nth, 5 * MIB)));
      await end();
      expect(followed).toEqual([[first, first + 1, first + 2], []]);
      head = first + 9;
    }
  });
});
