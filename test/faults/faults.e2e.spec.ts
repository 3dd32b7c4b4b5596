import { randomInt } from 'node:crypto';
import type { StoredEvent } from '../../libs/event-store/port.js';
import { describeWithMongo } from '../servers/mongodb/describe.js';
import { buildServer } from '../support/processes.js';
import { complaints } from './checks.js';
import type { Command } from './commands.js';
import { trial } from './trial.js';

/** How long faults last; `npm run test:faults` takes its time. */
const SECONDS = 12;

/** The checks themselves are checked: what is lost, doubled or elsewhere is noticed. */
describe('what is told of commands', () => {
  const asked: Command = {
    ...{ id: 'one', kind: 'create', drive_id: 'DriveID_a', group_id: 'GroupID_a', sent_ms: 1 },
    ...{ tries: 2, acknowledged_ms: 2, revision: 7, is_replayed: false, refused_stale: 0 },
  };
  const stored = { type: 'GroupCreated', revision: 7 } as StoredEvent;
  const told = (events: readonly StoredEvent[], command = asked): string[] =>
    complaints([command], new Map([['one', events]]));

  it.each<[string, readonly StoredEvent[], Command]>([
    ['lost', [], asked],
    ['doubled', [stored, { ...stored, revision: 8 }], asked],
    ['at another revision than answered', [{ ...stored, revision: 8 }], asked],
    ['of another kind', [{ ...stored, type: 'GroupDeleted' }], asked],
    ['never acknowledged', [stored], { ...asked, acknowledged_ms: 0 }],
  ])('one that is %s', (_, events, command) => expect(told(events, command)).toHaveLength(1));

  it('nothing if all is well', () => expect(told([stored])).toEqual([]));
});

describeWithMongo('the service on its servers', () => {
  beforeAll(() => buildServer());

  it('loses and doubles nothing, and shows everything, while processes are killed and servers fail', async () => {
    const seed = randomInt(2 ** 31);
    const report = await trial({ seconds: SECONDS, seed, progress: () => {} });
    expect({ seed, breaches: report.breaches }).toEqual({ seed, breaches: [] });
    expect(report.struck.length).toBeGreaterThan(0);
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.threads_ended).toBeGreaterThan(0);
    // At least one by each process once the faults are over.
    expect(report.verified).toBeGreaterThan(1);
  });
});
