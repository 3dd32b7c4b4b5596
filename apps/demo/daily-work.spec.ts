import type { Caller } from './caller.js';
import { ADMINISTRATOR } from './company.js';
import { DailyWork } from './daily-work.js';
import { Ids, type Organization } from './organization.js';
import { Random } from './random.js';

const DAY_MS = 86_400_000;
const TRASH_DAYS = 30;

describe('daily work', () => {
  it.each([1, 2, 3, 4, 5])('restores nothing that the trash has lost: seed %i', async (seed) => {
    let now_ms = 0;
    const trashed_ms = new Map<string, number>();
    const ages: number[] = [];
    const person = {
      user_id: 'UserID_1',
      post: () => Promise.resolve({}),
      upload: () => Promise.resolve(),
      act: (action: string, { id }: { id: string }) => {
        if (action === 'DELETE_FILE') trashed_ms.set(id, now_ms);
        if (action === 'RESTORE_TRASH') ages.push((now_ms - trashed_ms.get(id)!) / DAY_MS);
        return Promise.resolve({});
      },
    } as unknown as Caller;
    const organization = {
      people: new Map([[ADMINISTRATOR, person]]),
      groups: new Map([['Everyone', 'GroupID_1']]),
      labels: ['LabelID_1'],
      workplaces: [{ folder_id: 'FolderID_1', documents: ['Report #'], people: [person] }],
    } as unknown as Organization;
    const work = new DailyWork(organization, new Random(seed), new Ids());
    for (; now_ms < 365 * DAY_MS; now_ms += DAY_MS / 4) await work.doOne(now_ms);
    expect(ages.length).toBeGreaterThan(10);
    expect(Math.max(...ages)).toBeLessThan(TRASH_DAYS);
  });
});
