import fs from 'node:fs';
import { pino, type DestinationStream } from 'pino';

/**
 * Output of log lines. After the pipe's reader has ended, pino stops writing, but at exit or after a fatal message it
 * would retry pending lines forever; here they are dropped. A pino transport would do the same in a thread, which
 * costs 17 MB of memory and 30 ms at startup.
 */
export function logOutput(fd: number): DestinationStream {
  const output = pino.destination({ dest: fd, sync: false });
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => withoutReader(flushSync);
  return output;
}

/** Runs a task synchronously; bytes written to a pipe without a reader are dropped. */
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
