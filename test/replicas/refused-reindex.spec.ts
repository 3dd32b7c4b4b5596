import { ReindexJobs } from '../../libs/application/replay/reindex-jobs.js';
import { OWNER } from '../../libs/domain/testing/drive.js';
import { DRIVE_A, EngineSpec, request } from '../../libs/engine/testing/engine.js';

describe('a job that rebuilds read models', () => {
  const run = async (user_id: string) => {
    const spec = new EngineSpec();
    await spec.spawn();
    const jobs = new ReindexJobs(spec.drives);
    const { job, done } = await jobs.start(DRIVE_A, request({ kind: 'signature', user_id }));
    return { outcome: await done(), job: await jobs.find(DRIVE_A, job.job_id) };
  };

  it('has failed if its caller lost the right before its event was stored', async () => {
    expect(await run('UserID_nobody')).toMatchObject({
      outcome: { refusal: { refusal: 'forbidden' } },
      job: { error: expect.any(String), finished_ms: expect.any(Number), revision: null },
    });
  });

  it('has ended with the revision of its event', async () => {
    expect(await run(OWNER)).toMatchObject({
      outcome: { data: { success: true }, revision: 1 },
      job: { error: null, finished_ms: expect.any(Number), revision: 1 },
    });
  });
});
