import { setTimeout as after } from 'node:timers/promises';

/** Resolves once a question is answered with yes; gives up after so long. */
export async function eventually(
  question: () => boolean | Promise<boolean>,
  limit_ms = 20_000,
): Promise<void> {
  const deadline = performance.now() + limit_ms;
  while (!(await question())) {
    if (performance.now() > deadline) throw new Error(`still not so: ${question.toString()}`);
    await after(2);
  }
}
