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
  let takeStretch: (() => Stretch) | null = null;
  process.on('disconnect', end);
  process.on('message', (message: ToChild) => {
    if (message.ask === 'stop') return end();
    if (message.ask === 'answer-with') {
      answerWith?.(message.text);
      return say({ says: 'done' });
    }
    if (message.ask === 'times')
      return say({ says: 'times', taken_ms: (takeTimes ??= timeServed())() });
    if (message.ask === 'stretch')
      return say({ says: 'stretch', ...(takeStretch ??= watchStretches())() });
    const { user, system } = process.cpuUsage();
    const busy_ms = performance.eventLoopUtilization().active;
    say({ says: 'usage', cpu_us: user + system, busy_ms });
  });
}

interface Stretch {
  readonly longest_ms: number;
  readonly longest_cpu_ms: number;
}

/** Looks at every turn of the event loop; gives what takes the longest stretch since it was last taken. */
function watchStretches(): () => Stretch {
  let longest_ms = 0;
  let longest_cpu_us = 0;
  let [last_ms, last_us] = [performance.now(), cpuOfThread()];
  const look = (): void => {
    const [now_ms, now_us] = [performance.now(), cpuOfThread()];
    longest_ms = Math.max(longest_ms, now_ms - last_ms);
    longest_cpu_us = Math.max(longest_cpu_us, now_us - last_us);
    [last_ms, last_us] = [now_ms, now_us];
    setImmediate(look);
  };
  look();
  return () => {
    const taken = { longest_ms, longest_cpu_ms: longest_cpu_us / 1000 };
    [longest_ms, longest_cpu_us] = [0, 0];
    return taken;
  };
}

function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
