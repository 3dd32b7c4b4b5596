import { PassThrough } from 'node:stream';
import { jest } from '@jest/globals';
import { Progress } from './progress.js';

describe('progress', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const on = (is_watched: boolean) => {
    let said = '';
    const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 120 });
    screen.on('data', (bytes: Buffer) => (said += bytes.toString()));
    const terminal = {
      ...{ is_watched, screen, env: {}, out: () => {} },
      err: (text: string) => void (said += text),
    };
    return { terminal, said: () => said };
  };

  it('is a bar with rate and remaining time where people watch', () => {
    const { terminal, said } = on(true);
    const progress = new Progress(terminal, 'lines');
    progress.at(0, 1000, 'import');
    jest.advanceTimersByTime(2000);
    progress.at(500, 1000, 'import');
    jest.advanceTimersByTime(1000);
    progress.end();
    expect(said()).toMatch(/import .* 50% \| 500 of 1000 \| 250\/s, 2 s left/);
  });

  it('shows no remaining time before it is known', () => {
    const { terminal, said } = on(true);
    const progress = new Progress(terminal, 'lines');
    progress.at(0, 1_000_000, 'import');
    jest.advanceTimersByTime(1000);
    progress.at(0, 1_000_000, 'import');
    jest.advanceTimersByTime(1000);
    expect(said()).toContain('0 of 1000000 | 0/s');
    expect(said()).not.toContain('left');
    progress.at(1000, 1_000_000, 'import');
    jest.advanceTimersByTime(1000);
    progress.end();
    expect(said()).toContain('500/s, 34 min left');
  });

  it('is a line every five seconds where nobody does, and nothing for what is short', () => {
    const { terminal, said } = on(false);
    const progress = new Progress(terminal, 'lines');
    progress.at(0, 1000, 'check');
    progress.at(1000, 1000, 'check');
    progress.at(0, 1000, 'import');
    jest.advanceTimersByTime(4000);
    progress.at(400, 1000, 'import');
    expect(said()).toBe('');
    jest.advanceTimersByTime(2000);
    progress.at(600, 1000, 'import');
    expect(said()).toBe('import: 600 of 1000, 100/s, 4 s left\n');
    jest.advanceTimersByTime(4000);
    progress.at(1000, 1000, 'import');
    progress.end();
    expect(said()).toContain('import: 1000 of 1000, 100/s\n');
  });

  it('says nothing of questions where nobody watches', () => {
    const { terminal, said } = on(false);
    const progress = new Progress(terminal);
    progress.at(1, 2);
    jest.advanceTimersByTime(60_000);
    progress.at(2, 2);
    progress.end();
    expect(said()).toBe('');
  });
});
