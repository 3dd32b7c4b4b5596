import { EventEmitter } from 'node:events';
import { onStopSignals } from './stop-signals.js';

describe('signals that stop a process', () => {
  it('are one signal if they come together, and stop it at once later', () => {
    const source = new EventEmitter();
    const calls: string[] = [];
    let now = 0;
    onStopSignals(
      (signal) => calls.push(signal),
      () => calls.push('at once'),
      source,
      () => now,
    );
    source.emit('SIGTERM', 'SIGTERM');
    now = 499;
    source.emit('SIGTERM', 'SIGTERM');
    source.emit('SIGINT', 'SIGINT');
    expect(calls).toEqual(['SIGTERM']);
    now = 500;
    source.emit('SIGINT', 'SIGINT');
    expect(calls).toEqual(['SIGTERM', 'at once']);
  });
});
