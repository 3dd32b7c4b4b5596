import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { Replay, type ReplayAnswer } from '../../libs/application/replay/replay.js';
import type { Reader } from '../../libs/application/read-record.js';
import { OWNER } from '../../libs/domain/testing/drive.js';
import { isRefused } from '../../libs/engine/writer/call.js';
import { DurableModel } from '../../libs/engine/testing/durable-model.js';
import { DRIVE_A, EngineSpec } from '../../libs/engine/testing/engine.js';

const READER: Reader = { drive_id: DRIVE_A, credential: { kind: 'signature', user_id: OWNER } };

describe('the present of a drive whose read model is in a database', () => {
  it('is replayed with its families from a past state, whose indexes are built in turns', async () => {
    const spec = new EngineSpec({ read_model: new DurableModel(READ_SCHEMA) });
    await spec.spawn();
    await spec.group('Last', 'GroupID_last');
    const drive = await spec.drives.open(DRIVE_A);
    drive.state.groups.views = () => {
      throw new Error('the current state is indexed at once');
    };
    const input = { include: ['groups'], verify: false, hash: true } as const;
    const outcome = await Replay.answer(spec.drives, READER, {
      ...{ ...input, page_size: 10, direction: 'ASC' },
    });
    if (isRefused(outcome)) throw new Error(outcome.refusal.refusal);
    const { revision, state, state_hash } = outcome.data as ReplayAnswer;
    expect(revision).toBe(drive.head.revision);
    expect(state_hash).toBe(drive.folded.hash.root());
    expect(state.groups!.items).toContainEqual(expect.objectContaining({ id: 'GroupID_last' }));
  });
});
