import { noticeTo, reportOnce } from './report-once.js';
import { JsonLogger } from './logging.js';

describe('failures in background work', () => {
  let lines: any[];
  let now: number;
  let logger: JsonLogger;
  const full = () => new Error('the disk is full');

  beforeEach(() => {
    lines = [];
    now = 1_000_000;
    logger = new JsonLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
  });

  it('are logged once, and every ten minutes with how often they were met', () => {
    const report = reportOnce(logger, () => now);
    for (let second = 0; second < 600; second++, now += 1_000)
      report('events not indexed', 'DriveID_a', full());
    expect(lines).toHaveLength(1);
    report('events not indexed', 'DriveID_a', full());
    expect(lines.map(({ what, repeated }) => [what, repeated])).toEqual([
      ['events not indexed', undefined],
      ['events not indexed', 599],
    ]);
  });

  it('are told apart by what failed, whose it was and why', () => {
    const report = reportOnce(logger, () => now);
    report('events not indexed', 'DriveID_a', full());
    report('events not indexed', 'DriveID_b', full());
    report('snapshot failed', 'DriveID_a', full());
    report('events not indexed', 'DriveID_a', new Error('another'));
    expect(lines).toHaveLength(4);
  });

  it('are remembered within bounds', () => {
    const report = reportOnce(logger, () => now);
    for (let nth = 0; nth < 1_001; nth++) report('x', `DriveID_${nth}`, full());
    report('x', 'DriveID_0', full());
    expect(lines).toHaveLength(1_002);
  });

  it('do not keep notices of changes from being logged each time', () => {
    const notice = noticeTo(logger);
    for (let times = 0; times < 2; times++) {
      notice('appends fail', { drive_id: 'DriveID_a', error: full() });
      notice('appends succeed again');
    }
    expect(lines.map(({ level, what, message }) => [level, what ?? message])).toEqual([
      ['error', 'appends fail'],
      ['info', 'appends succeed again'],
      ['error', 'appends fail'],
      ['info', 'appends succeed again'],
    ]);
  });
});
