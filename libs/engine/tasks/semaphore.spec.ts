import { Semaphore } from './semaphore.js';

const never = new AbortController().signal;

/** Tasks that run until they are ended. */
class Tasks {
  readonly running: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly slots: Semaphore) {}

  start(name: string, signal = never): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ends.set(name, resolve);
    const task = async (): Promise<void> => {
      this.running.push(name);
      await promise;
      this.running.splice(this.running.indexOf(name), 1);
    };
    return this.slots.run(task, name[0]!, signal);
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)!();
    await new Promise(setImmediate);
  }
}

describe('slots for parallel tasks', () => {
  it('one key uses at most its share of them', () => {
    const tasks = new Tasks(new Semaphore(8, 2));
    for (const name of ['a1', 'a2', 'a3', 'b1']) void tasks.start(name);
    expect(tasks.running).toEqual(['a1', 'a2', 'b1']);
  });

  it('pass to the first waiting task whose key has room', async () => {
    const tasks = new Tasks(new Semaphore(4, 1));
    for (const name of ['a1', 'b1', 'c1', 'd1', 'a2', 'e1', 'b2']) void tasks.start(name);
    expect(tasks.running).toEqual(['a1', 'b1', 'c1', 'd1']);
    await tasks.end('b1');
    expect(tasks.running).toEqual(['a1', 'c1', 'd1', 'e1']);
    await tasks.end('a1');
    await tasks.end('c1');
    expect(tasks.running).toEqual(['d1', 'e1', 'a2', 'b2']);
  });

  it('are not kept by a task that fails', async () => {
    const slots = new Semaphore(1);
    const failing = slots.run(() => Promise.reject(new Error('failed')), 'a', never);
    await expect(failing).rejects.toThrow('failed');
    expect(await slots.run(() => Promise.resolve(1), 'b', never)).toBe(1);
  });

  it('are not waited for after the signal', async () => {
    const tasks = new Tasks(new Semaphore(1));
    const controller = new AbortController();
    void tasks.start('a1');
    const waiting = tasks.start('b1', controller.signal);
    controller.abort(new Error('too late'));
    await expect(waiting).rejects.toThrow('too late');
    await expect(tasks.start('c1', controller.signal)).rejects.toThrow('too late');
    await tasks.end('a1');
    void tasks.start('d1');
    expect(tasks.running).toEqual(['d1']);
  });
});
