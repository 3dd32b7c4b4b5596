import fs from 'node:fs';
import { pino, type DestinationStream } from 'pino';

/**
 * Output of log lines. If the pipe's reader has ended, pino stops writing, but at exit or after a fatal message it would
 * retry pending lines forever; they are dropped here. A transport of pino would do this in a thread, which costs each
 * process 17 MB and 30 ms of its start.
 */
export function logOutput(fd: number): DestinationStream {
  const output = pino.destination({ dest: fd, sync: false });
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => withoutReader(flushSync);
  return output;
}

/** Runs a task at once, in which bytes for a pipe without a reader count as written. */
function withoutReader(task: () => void): void {
  const { writeSync } = fs;
  const tolerant = (fd: number, data: string | NodeJS.ArrayBufferView): number => {
    try {
      return writeSync(fd, data as string);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
      return typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength;
    }
  };
  fs.writeSync = tolerant as typeof writeSync;
  try {
    task();
  } finally {
    fs.writeSync = writeSync;
  }
}
