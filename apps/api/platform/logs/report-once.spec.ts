import { jest } from '@jest/globals';
import {
  StoreUnavailable,
  StoreRefused,
  StoreUnusable,
} from '../../../../libs/event-store/port.js';
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

  it('are logged once, and then every ten minutes with the number of occurrences', () => {
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

  it('differ by failed task, organization and error', () => {
    const report = reportOnce(logger, () => now);
    report('events not indexed', 'DriveID_a', full());
    report('events not indexed', 'DriveID_b', full());
    report('snapshot failed', 'DriveID_a', full());
    report('events not indexed', 'DriveID_a', new Error('another'));
    expect(lines).toHaveLength(4);
  });

  it('are held within bounds', () => {
    const report = reportOnce(logger, () => now);
    for (let nth = 0; nth < 1_001; nth++) report('x', `DriveID_${nth}`, full());
    report('x', 'DriveID_0', full());
    expect(lines).toHaveLength(1_002);
  });

  describe('while a store is unavailable', () => {
    const outage = () =>
      new Error('drive not read', { cause: new StoreUnavailable('connection refused') });

    it('are logged once for all tasks, and once more when the store can be reached again', async () => {
      const back = Promise.withResolvers<void>();
      const answers = [false, false, true, false, true];
      const check = async () => {
        if (!answers.shift()) throw new StoreUnavailable('connection refused');
      };
      const write = logger.log.bind(logger);
      jest.spyOn(logger, 'log').mockImplementation((...told) => (write(...told), back.resolve()));
      const report = reportOnce(logger, () => now, { check, interval_ms: 1 });
      for (let nth = 0; nth < 5; nth++) report(`work ${nth}`, `DriveID_${nth}`, outage());
      now += 7_000;
      await back.promise;
      expect(
        lines.map(({ level, what, failed, message }) => [level, what ?? message, failed]),
      ).toEqual([
        ['error', 'a store cannot be reached; background work waits for it', 'work 0'],
        [
          'info',
          'the store can be reached again after 7 s; 4 more failures were not logged',
          undefined,
        ],
      ]);
      report('work', 'DriveID_a', outage());
      expect(lines).toHaveLength(3);
    });

    it('differ from refusals of a store; the appender logs refused appends', () => {
      const report = reportOnce(logger, () => now, { check: () => Promise.reject(outage()) });
      report('work', 'DriveID_a', new StoreRefused('no right to append', 'Denied', true));
      expect(lines).toEqual([]);
      report('work', 'DriveID_a', new StoreRefused('no right to read', 'Denied', false));
      report('work', 'DriveID_b', outage());
      expect(lines.map(({ what }) => what)).toEqual([
        'a store refuses this service; background work waits until it accepts requests again',
      ]);
    });

    it('do not hide other failures', () => {
      const report = reportOnce(logger, () => now, { check: () => Promise.reject(outage()) });
      report('work', 'DriveID_a', outage());
      report('work', 'DriveID_a', full());
      report('work', 'DriveID_a', new StoreUnusable('the file is damaged'));
      expect(lines).toHaveLength(3);
    });
  });

  it('notices of changes are logged each time', () => {
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
