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

  describe('while a store is away', () => {
    const away = () =>
      new Error('drive not read', { cause: new StoreUnavailable('connection refused') });

    it('are logged once, whatever failed, and once more when it is back', async () => {
      const back = Promise.withResolvers<void>();
      const answers = [false, false, true, false, true];
      const ask = async () => {
        if (!answers.shift()) throw new StoreUnavailable('connection refused');
      };
      const write = logger.log.bind(logger);
      jest.spyOn(logger, 'log').mockImplementation((...told) => (write(...told), back.resolve()));
      const report = reportOnce(logger, () => now, { ask, every_ms: 1 });
      for (let nth = 0; nth < 5; nth++) report(`work ${nth}`, `DriveID_${nth}`, away());
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
      report('work', 'DriveID_a', away());
      expect(lines).toHaveLength(3);
    });

    it('are told from a store that refuses; whoever appends tells of its refusals', () => {
      const report = reportOnce(logger, () => now, { ask: () => Promise.reject(away()) });
      report('work', 'DriveID_a', new StoreRefused('no right to append', 'Denied', true));
      expect(lines).toEqual([]);
      report('work', 'DriveID_a', new StoreRefused('no right to read', 'Denied', false));
      report('work', 'DriveID_b', away());
      expect(lines.map(({ what }) => what)).toEqual([
        'a store refuses this service; background work waits until it does not',
      ]);
    });

    it('hide no other failure', () => {
      const report = reportOnce(logger, () => now, { ask: () => Promise.reject(away()) });
      report('work', 'DriveID_a', away());
      report('work', 'DriveID_a', full());
      report('work', 'DriveID_a', new StoreUnusable('the file is damaged'));
      expect(lines).toHaveLength(3);
    });
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
