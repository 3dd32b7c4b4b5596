import type { MessagePort } from 'node:worker_threads';

import { type AskerMessage, buffersOf, type ThreadFailure, type ThreadMessage } from './thread.js';

export interface Asker {
  /** Aborted when the asker has given the question up. */
  readonly signal: AbortSignal;
  /** Calls a helper of the asker. If it fails, the question is given up. */
  call<T = void>(name: string, ...values: readonly unknown[]): Promise<T>;
  /** The same; these bytes among the values are moved (see `Thread.ask`). */
  callMoving<T = void>(
    moved: readonly Uint8Array[],
    name: string,
    ...values: readonly unknown[]
  ): Promise<T>;
}

interface Answer {
  readonly answer: unknown;
  /** Bytes of the answer that are moved (see `Thread.ask`). */
  readonly moved?: readonly ArrayBufferView[];
}

class OpenQuestion implements Asker {
  private readonly gone = new AbortController();
  private readonly calls = new Map<number, PromiseWithResolvers<unknown>>();
  private last_call = 0;

  constructor(
    private readonly id: number,
    private readonly tell: (message: ThreadMessage, moved?: readonly ArrayBufferView[]) => void,
  ) {}

  get signal(): AbortSignal {
    return this.gone.signal;
  }

  call<T>(name: string, ...values: readonly unknown[]): Promise<T> {
    return this.callMoving([], name, ...values);
  }

  callMoving<T>(
    moved: readonly Uint8Array[],
    name: string,
    ...values: readonly unknown[]
  ): Promise<T> {
    this.signal.throwIfAborted();
    const call = ++this.last_call;
    const calling = Promise.withResolvers<unknown>();
    this.calls.set(call, calling);
    this.tell({ id: this.id, call, name, values }, moved);
    return calling.promise as Promise<T>;
  }

  returned(call: number, value: unknown): void {
    this.calls.get(call)?.resolve(value);
    this.calls.delete(call);
  }

  abandon(): void {
    this.gone.abort();
    for (const { reject } of this.calls.values()) reject(this.signal.reason);
    this.calls.clear();
  }
}

/** Of an error of SQLite the asker learns the code, whatever it was wrapped in. */
function failureOf(thrown: unknown): ThreadFailure {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { errcode } = error as { errcode?: unknown };
    if (typeof errcode === 'number') return { message: error.message, errcode };
  }
  return { message: String(thrown) };
}

/** Answers the questions that a `Thread` is asked; the program of its worker calls it once. */
export function answerQuestions<Question>(
  port: MessagePort,
  answer: (question: Question, asker: Asker) => Promise<Answer>,
): void {
  const open = new Map<number, OpenQuestion>();
  const tell = (message: ThreadMessage, moved?: readonly ArrayBufferView[]): void =>
    port.postMessage(message, buffersOf(moved));
  const work = async (id: number, question: Question): Promise<void> => {
    const asker = new OpenQuestion(id, tell);
    open.set(id, asker);
    try {
      const { answer: said, moved } = await answer(question, asker);
      tell({ id, answer: said }, moved);
    } catch (error) {
      tell({ id, failure: failureOf(error) });
    } finally {
      open.delete(id);
    }
  };
  port.on('message', (message: AskerMessage) => {
    if ('question' in message) void work(message.id, message.question as Question);
    else if ('call' in message) open.get(message.id)?.returned(message.call, message.returned);
    else open.get(message.id)?.abandon();
  });
}
