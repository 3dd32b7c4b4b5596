import { syncBuiltinESMExports } from 'node:module';
import threads, { isMainThread, type Worker } from 'node:worker_threads';

/*
 * Loaded into an API process before the service: SIGUSR2 then ends its background thread at once, as a lack of memory
 * or a fault of the runtime would.
 */
if (isMainThread) {
  const running = new Set<Worker>();
  class WatchedWorker extends threads.Worker {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given);
      if (given[1]?.name !== 'background') return;
      running.add(this);
      this.once('exit', () => running.delete(this));
    }
  }
  Object.assign(threads, { Worker: WatchedWorker });
  syncBuiltinESMExports();
  process.on('SIGUSR2', () => {
    for (const worker of running) {
      process.stdout.write('background thread ended by the fault run\n');
      void worker.terminate();
    }
  });
}
