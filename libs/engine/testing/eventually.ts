import { setTimeout as after } from 'node:timers/promises';

/** Less than the time of a test, which then fails with the question. */
const AT_MOST_MS = 300_000;

/** Resolves once a question is answered with yes. @throws if that takes longer than any machine needs */
export async function eventually(question: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + AT_MOST_MS;
  while (!(await question())) {
    if (performance.now() > deadline) throw new Error(`still not so: ${question.toString()}`);
    await after(2);
  }
}
