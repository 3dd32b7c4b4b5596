import { appendBytes } from '../../event-store/append-rules.js';
import { WrongExpectedRevision } from '../../event-store/port.js';
import { OWNER } from '../../domain/testing/drive.js';
import { DRIVE_A, EngineSpec, Note, request } from '../testing/engine.js';

describe('an observer of writes', () => {
  const committed: unknown[] = [];
  const decided: string[] = [];
  let now = 0;
  let spec: EngineSpec;

  beforeEach(async () => {
    spec = new EngineSpec({
      // Time passes only while a batch is stored.
      timer: { now: () => now, wait: async () => {} },
      observer: {
        committed: (outcome, { events, bytes }, duration_ms) =>
          committed.push([outcome, events.length, bytes, duration_ms]),
        decided: (outcome) => decided.push(outcome),
      },
    });
    await spec.spawn();
    committed.length = 0;
    decided.length = 0;
    spec.events.asked.length = 0;
  });

  /** Bytes of the bodies and metadata of an append. */
  const bytesOf = (nth: number): number =>
    spec.events.asked[nth]!.events.reduce(
      (sum, { data, metadata }) => sum + Buffer.byteLength(data) + Buffer.byteLength(metadata),
      0,
    );

  it('sees a batch once it is stored, with its size and the time it took', async () => {
    spec.events.onAppend((store) => {
      now += 7;
      return store();
    });
    await Promise.all([spec.note('a'), spec.note('é'.repeat(100))]);
    expect(committed).toEqual([['stored', 2, bytesOf(0), 7]]);
    expect(bytesOf(0)).toBeLessThanOrEqual(appendBytes(spec.events.asked[0]!.events));
    expect(decided).toEqual(['accepted', 'accepted']);
  });

  it('sees a conflict, and the batch that is decided again', async () => {
    spec.events.onAppend(() => {
      throw new WrongExpectedRevision('drive-a', 1, 2);
    });
    await spec.note('a');
    expect(committed).toEqual([
      ['conflict', 1, bytesOf(0), 0],
      ['stored', 1, bytesOf(1), 0],
    ]);
    expect(decided).toEqual(['accepted']);
  });

  it('sees a failure; the command has no outcome', async () => {
    spec.events.onAppend(() => {
      throw new Error('disk full');
    });
    await expect(spec.note('a')).rejects.toThrow('store-failed');
    expect(committed).toEqual([['failed', 1, bytesOf(0), 0]]);
    expect(decided).toEqual([]);
  });

  it('sees refused and repeated commands, which store nothing', async () => {
    const note = (body: string) =>
      spec.drives.commands.run(
        DRIVE_A,
        Note,
        { payload: 'noted' },
        {
          ...request({ kind: 'signature', user_id: OWNER }),
          idempotency: { key: 'k', body },
        },
      );
    await note('a');
    await note('a');
    await note('b');
    expect(decided).toEqual(['accepted', 'repeated', 'refused']);
    expect(committed).toHaveLength(1);
  });
});
