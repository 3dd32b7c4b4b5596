import { Worker } from 'node:worker_threads';
import { jest } from '@jest/globals';
import { Thread } from './thread.js';

const ECHO = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ id, question }) => parentPort.postMessage({ id, answer: question }));
`;

describe('a thread', () => {
  it('is told nothing of a question that cannot be sent, and holds up no process for it', async () => {
    const workers: Worker[] = [];
    const thread = new Thread('the thread', () => {
      const worker = new Worker(ECHO, { eval: true });
      workers.push(worker);
      return worker;
    });
    expect(await thread.ask({ work: 1 })).toEqual({ work: 1 });
    const unref = jest.spyOn(workers[0]!, 'unref');
    const { signal } = new AbortController();
    const remove = jest.spyOn(signal, 'removeEventListener');
    await expect(thread.ask({ work: () => {} }, { signal })).rejects.toThrow('could not be cloned');
    expect(unref).toHaveBeenCalledTimes(1);
    expect(remove).toHaveBeenCalledTimes(1);
    expect(await thread.ask({ work: 2 })).toEqual({ work: 2 });
    await thread.end();
    expect(workers).toHaveLength(1);
  });
});
