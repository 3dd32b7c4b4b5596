import { AsyncLocalStorage } from 'node:async_hooks';

/** Nobody waits for the answer any more: the client has gone. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
  constructor() {
    super('nobody waits for the answer any more');
  }
}

/** A question that may take long, as those see it who work for it. */
export interface Work {
  /** Aborted once nobody waits for the answer. */
  readonly signal: AbortSignal;
  /**
   * Asks to begin what takes long, such as folding events. Once allowed it stays so until the question is
   * answered. @throws what the caller is to be told if there is too much of it
   */
  begin(): void;
  /** Notes events that were folded for it. */
  folded(events: number): void;
  /** The question is answered, or is not going to be. */
  end(): void;
}

const at_hand = new AsyncLocalStorage<Work | undefined>();

/** The question that is being worked for, if it is known. */
export function workAtHand(): Work | undefined {
  return at_hand.getStore();
}

/** Does a task for a question; without one the task is nobody's in particular, and always finished. */
export function workFor<T>(work: Work | undefined, task: () => T): T {
  return at_hand.run(work, task);
}

/** Answers a question, which ends with that. */
export async function answerFor<T>(work: Work | undefined, task: () => T | Promise<T>): Promise<T> {
  try {
    return await workFor(work, task);
  } finally {
    work?.end();
  }
}

/** Before anything that takes long. @throws Abandoned, and what the limits of the question say */
export function beginWork(): void {
  const work = workAtHand();
  if (work?.signal.aborted) throw new Abandoned();
  work?.begin();
}

/** @throws Abandoned if nobody waits for the work at hand any more */
export function checkWork(): void {
  if (workAtHand()?.signal.aborted) throw new Abandoned();
}

/** The promise's outcome, unless nobody waits for it any more. The task goes on, for others. @throws Abandoned */
export async function unlessAbandoned<T>(task: Promise<T>): Promise<T> {
  const signal = workAtHand()?.signal;
  if (!signal) return task;
  const { promise, reject } = Promise.withResolvers<never>();
  const abandon = (): void => reject(new Abandoned());
  if (signal.aborted) abandon();
  signal.addEventListener('abort', abandon);
  try {
    return await Promise.race([task, promise]);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
