import type { Worker } from 'node:worker_threads';

interface Call {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** What a thread answers to the question with this id. */
export type ThreadAnswer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: string };

/**
 * A thread that answers questions, started with the first one. Only a thread with open questions keeps the process
 * alive. If it ends, its open questions fail, and the next question starts another one.
 */
export class Thread {
  private worker: Worker | undefined;
  private readonly calls = new Map<number, Call>();
  private last_id = 0;

  /** @param what name of the thread in errors */
  constructor(
    private readonly what: string,
    private readonly start: () => Worker,
  ) {}

  /** @throws Error with the failure of the thread, or its end as cause */
  ask<Answer = void>(question: object): Promise<Answer> {
    const worker = (this.worker ??= this.started());
    this.last_id += 1;
    const id = this.last_id;
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve: resolve as Call['resolve'], reject });
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ id, ...question });
    });
  }

  /**
   * Asks a last question, which the thread answers after all earlier ones, and ends it; nothing if it does not run.
   */
  async close(last_question: object): Promise<void> {
    if (!this.worker) return;
    await this.ask(last_question);
    await this.end();
  }

  /** Ends it at once; its open questions fail. */
  async end(): Promise<void> {
    await this.worker?.terminate();
  }

  private started(): Worker {
    const worker = this.start();
    worker.on('message', (message: ThreadAnswer) => {
      const call = this.calls.get(message.id);
      this.calls.delete(message.id);
      if (this.calls.size === 0) worker.unref();
      if ('failure' in message) call?.reject(new Error(message.failure));
      else call?.resolve(message.answer);
    });
    worker.on('error', (error) => this.lose(worker, error));
    worker.on('exit', (code) => this.lose(worker, new Error(`exit code ${code}`)));
    return worker;
  }

  private lose(worker: Worker, cause: unknown): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const lost = [...this.calls.values()];
    this.calls.clear();
    for (const call of lost) call.reject(new Error(`${this.what} ended`, { cause }));
  }
}
