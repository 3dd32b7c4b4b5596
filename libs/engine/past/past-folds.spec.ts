import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { Gate } from '../testing/faulty-events.js';
import { Abandoned, answerQuery, type LongQuery } from '../tasks/long-query.js';

/** The work of a request whose client may go. */
class SpecQuery implements LongQuery {
  private readonly gone = new AbortController();
  readonly signal = this.gone.signal;
  begun = 0;
  events = 0;
  is_over = false;
  begin(): void {
    this.begun++;
  }
  folded(events: number): void {
    this.events += events;
  }
  end(): void {
    this.is_over = true;
  }
  go(): void {
    this.gone.abort();
  }
}

describe('a fold of a state of the past', () => {
  let spec: EngineSpec;
  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    for (let at = 0; at < 10; at++) await spec.group(`G${at}`);
  });
  const ask = (query: LongQuery, revision: number) =>
    answerQuery(query, () =>
      spec.drives.past_states.read(DRIVE_A, revision, ({ folded }) => folded.state.revision),
    );

  it('goes on for those who still wait, and is paid by the first', async () => {
    const gate = new Gate();
    spec.events.onFold(async (read) => {
      await gate.pass();
      return read();
    });
    const [one, other] = [new SpecQuery(), new SpecQuery()];
    const asked = [ask(one, 5), ask(other, 5)];
    await gate.reached;
    one.go();
    await expect(asked[0]).rejects.toThrow(Abandoned);
    gate.open();
    expect(await asked[1]).toBe(5);
    expect([one.begun, other.begun].every((begun) => begun > 0)).toBe(true);
    expect([one.events, other.events]).toEqual([6, 0]);
    expect([one.is_over, other.is_over]).toEqual([true, true]);
  });

  it('ends when all have gone, and is begun anew for the next', async () => {
    const gate = new Gate();
    let pages = 0;
    spec.events.onFold(async (read) => {
      pages++;
      await gate.pass();
      return read();
    });
    const query = new SpecQuery();
    const asked = ask(query, 5);
    await gate.reached;
    query.go();
    await expect(asked).rejects.toThrow(Abandoned);
    const again = new SpecQuery();
    expect(await ask(again, 5)).toBe(5);
    expect(again.events).toBe(6);
    gate.open();
    expect(pages).toBe(1);
  });

  it('that waits for its turn is not begun for a client that has gone', async () => {
    const drives = ['DriveID_b', 'DriveID_c', 'DriveID_d'];
    for (const drive_id of drives) await spec.spawn(drive_id);
    const gates = Array.from({ length: 4 }, () => new Gate());
    for (const gate of gates)
      spec.events.onFold(async (read) => {
        await gate.pass();
        return read();
      });
    const running = [DRIVE_A, ...drives].map((drive_id) =>
      answerQuery(new SpecQuery(), () => spec.drives.past_states.read(drive_id, 0, () => true)),
    );
    await Promise.all(gates.map((gate) => gate.reached));
    await spec.spawn('DriveID_e');
    const query = new SpecQuery();
    const queued = answerQuery(query, () =>
      spec.drives.past_states.read('DriveID_e', 0, () => true),
    );
    query.go();
    await expect(queued).rejects.toThrow(Abandoned);
    for (const gate of gates) gate.open();
    await Promise.all(running);
    expect(query.events).toBe(0);
    expect(await ask(new SpecQuery(), 9)).toBe(9);
  });

  it('that fails for later events is begun anew for who needs earlier ones', async () => {
    const gate = new Gate();
    spec.events.onFold(async () => {
      await gate.pass();
      throw new Error('the store is closed');
    });
    const asked = [ask(new SpecQuery(), 9), ask(new SpecQuery(), 5)];
    await gate.reached;
    gate.open();
    await expect(asked[0]).rejects.toThrow('the store is closed');
    expect(await asked[1]).toBe(5);
  });
});
