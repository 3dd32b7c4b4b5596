import { OWNER } from '../../libs/domain/testing/drive.js';
import { DRIVE_A, EngineSpec } from '../../libs/engine/testing/engine.js';
import { RepeatQuery } from '../../libs/read-model/port.js';
import { answerFrom, answerNow, type Reader } from '../../libs/application/read-record.js';

const READER: Reader = { drive_id: DRIVE_A, credential: { kind: 'signature', user_id: OWNER } };

describe.each([
  ['of the current state', answerFrom],
  ['that names its points', answerNow],
])('a query %s that had to wait for an index', (_, answer) => {
  let spec: EngineSpec;

  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
  });

  it('is repeated on the state of then', async () => {
    let calls = 0;
    const answering = answer(spec.drives, READER, async ({ state }) => {
      if (++calls > 1) return state.groups.size;
      await spec.group('Meanwhile');
      throw new RepeatQuery();
    });
    expect(await answering).toEqual({ data: 2, revision: 1 });
  });

  it('is refused if that does not end', async () => {
    let calls = 0;
    const answering = answer(spec.drives, READER, async () => {
      calls++;
      throw new RepeatQuery();
    });
    await expect(answering).rejects.toMatchObject({ name: 'Unavailable', reason: 'busy' });
    expect(calls).toBe(101);
  });
});
