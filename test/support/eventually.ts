import { setTimeout as after } from 'node:timers/promises';

/** Less than the time of a test, which then fails with the last error. */
const AT_MOST_MS = 300_000;
const EVERY_MS = 50;

/** Repeats a task that may fail for a while, and gives its first result. @throws its last error after that time */
export async function eventually<T>(task: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + AT_MOST_MS;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await after(EVERY_MS);
    }
  }
}
