/** Ends threads while they read the event store that the first argument names. */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openKurrentEventStore } from '../../libs/event-store/kurrentdb/index.js';

/** Reads at one time: one of them is likely to be answered when the thread ends. */
const READS = 64;
const THREADS = 6;

async function readForEver(url: string): Promise<void> {
  const store = await openKurrentEventStore({ url });
  const read = async (): Promise<void> => {
    for (;;) await store.readStream('drive-none', 0, 'forward', 10);
  };
  for (let nth = 0; nth < READS; nth++) void read();
  parentPort!.postMessage('reading', []);
}

async function endThreads(url: string): Promise<void> {
  for (let nth = 0; nth < THREADS; nth++) {
    const thread = new Worker(new URL(import.meta.url), { workerData: url });
    await once(thread, 'message');
    await thread.terminate();
  }
}

if (isMainThread) await endThreads(process.argv[2]!);
else await readForEver(workerData as string);
