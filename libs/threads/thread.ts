import { AsyncLocalStorage } from 'node:async_hooks';
import type { Worker } from 'node:worker_threads';

/** Functions of an asker that the thread may call while it works on a question. */
export type Helpers = Readonly<Record<string, (...values: never[]) => unknown>>;

interface Call {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Calls a helper in the context of the asker. */
  readonly help: (name: string, values: readonly unknown[]) => unknown;
}

/** An error in a form that can be passed to another thread. */
export interface ThreadFailure {
  readonly message: string;
  /** Result code of SQLite. */
  readonly errcode?: number;
}

/** What a thread says about the question with this id: its end, or a call of a helper. */
export type ThreadMessage =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: ThreadFailure }
  | {
      readonly id: number;
      readonly call: number;
      readonly name: string;
      readonly values: readonly unknown[];
    };

/** What is said to a thread: a question, its end, or what a helper returned. */
export type AskerMessage =
  | { readonly id: number; readonly question: unknown }
  | { readonly id: number; readonly abandoned: true }
  | { readonly id: number; readonly call: number; readonly returned: unknown };

interface AskOptions {
  /** Ends the question with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly helpers?: Helpers | undefined;
  /** Bytes of the question that are moved instead of copied: each has a buffer of its own, and is empty afterwards. */
  readonly moved?: readonly Uint8Array[] | undefined;
}

/** The thread has ended before it answered; the next question starts another one. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

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

  /**
   * @throws ThreadEnded with the cause of its end; Error with the failure of the thread; errors of a helper, which end
   * the question; the reason of the signal
   */
  async ask<Answer = void>(
    question: object,
    { signal, helpers, moved }: AskOptions = {},
  ): Promise<Answer> {
    signal?.throwIfAborted();
    const worker = (this.worker ??= this.started());
    this.last_id += 1;
    const id = this.last_id;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const inContext = AsyncLocalStorage.snapshot();
    const help: Call['help'] = (name, values) =>
      inContext(() => helpers![name]!(...(values as never[])));
    this.calls.set(id, { resolve, reject, help });
    const abandon = (): void => this.abandon(worker, id, signal!.reason);
    signal?.addEventListener('abort', abandon);
    worker.ref();
    try {
      send(worker, { id, question }, moved);
      return (await promise) as Answer;
    } finally {
      signal?.removeEventListener('abort', abandon);
      // A question that could not be sent has no answer.
      if (this.calls.has(id)) this.settled(worker, id);
    }
  }

  /**
   * Asks a last question, and ends the thread once it has the answer; nothing if it does not run. Earlier questions that
   * are still open then fail.
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
    worker.on('message', (message: ThreadMessage) => {
      if ('call' in message) {
        void this.help(worker, message);
        return;
      }
      const call = this.settled(worker, message.id);
      if ('failure' in message) call?.reject(errorOf(message.failure));
      else call?.resolve(message.answer);
    });
    worker.on('error', (error) => this.lose(worker, error));
    worker.on('exit', (code) => this.lose(worker, new Error(`exit code ${code}`)));
    return worker;
  }

  private async help(
    worker: Worker,
    { id, call, name, values }: Extract<ThreadMessage, { call: number }>,
  ): Promise<void> {
    try {
      const returned = await this.calls.get(id)?.help(name, values);
      if (this.calls.has(id)) send(worker, { id, call, returned });
    } catch (error) {
      this.abandon(worker, id, error);
    }
  }

  /** Fails a question, and tells the thread to give it up. */
  private abandon(worker: Worker, id: number, reason: unknown): void {
    const call = this.settled(worker, id);
    if (!call) return;
    call.reject(reason);
    send(worker, { id, abandoned: true });
  }

  private settled(worker: Worker, id: number): Call | undefined {
    const call = this.calls.get(id);
    this.calls.delete(id);
    if (this.calls.size === 0) worker.unref();
    return call;
  }

  private lose(worker: Worker, cause: unknown): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const lost = [...this.calls.values()];
    this.calls.clear();
    for (const call of lost) call.reject(new ThreadEnded(`${this.what} ended`, { cause }));
  }
}

function errorOf({ message, ...members }: ThreadFailure): Error {
  return Object.assign(new Error(message), members);
}

function send(worker: Worker, message: AskerMessage, moved?: readonly Uint8Array[]): void {
  worker.postMessage(message, buffersOf(moved));
}

/** The buffers of bytes that are moved to another thread. */
export function buffersOf(moved: readonly ArrayBufferView[] = []): ArrayBuffer[] {
  return moved.map(({ buffer }) => buffer as ArrayBuffer);
}
