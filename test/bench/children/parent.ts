import type { FromChild, ToChild } from '../harness/process.js';
import { timeServed } from './served-times.js';

/** Says something to the bench process. */
export function say(message: FromChild): void {
  process.send?.(message);
}

/** Answers what the bench process asks; `stop` ends this process, and so does the end of the bench. */
export function obey(stop: () => Promise<void>, answerWith?: (text: string) => void): void {
  const end = (): void => {
    void stop().finally(() => process.exit(0));
  };
  let takeTimes: (() => number[]) | null = null;
  process.on('disconnect', end);
  process.on('message', (message: ToChild) => {
    if (message.ask === 'stop') return end();
    if (message.ask === 'answer-with') {
      answerWith?.(message.text);
      return say({ says: 'done' });
    }
    if (message.ask === 'times')
      return say({ says: 'times', taken_ms: (takeTimes ??= timeServed())() });
    const { user, system } = process.cpuUsage();
    const busy_ms = performance.eventLoopUtilization().active;
    say({ says: 'usage', cpu_us: user + system, busy_ms });
  });
}
