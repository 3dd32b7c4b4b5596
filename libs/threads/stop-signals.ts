/** The part of `process` that has signals; specs replace it. */
export interface SignalSource {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: string) => void): unknown;
}

/**
 * A supervisor signals all processes of a group, and a command that started another program forwards its signal: within
 * this time, ms, the two are one signal.
 */
const SAME_SIGNAL_MS = 500;

/**
 * Calls `stop` at the first SIGTERM or SIGINT, and `stopAtOnce` at further ones, which are of somebody who does not want
 * to wait.
 */
export function onStopSignals(
  stop: (signal: string) => void,
  stopAtOnce: () => void,
  source: SignalSource = process,
  now: () => number = () => performance.now(),
): void {
  let first_ms: number | undefined;
  const onSignal = (signal: string): void => {
    if (first_ms === undefined) {
      first_ms = now();
      stop(signal);
    } else if (now() - first_ms >= SAME_SIGNAL_MS) stopAtOnce();
  };
  source.on('SIGTERM', onSignal);
  source.on('SIGINT', onSignal);
}
