import type { ServedDrive } from '../../libs/engine/verify/served-drive.js';
import type { Asker } from '../../libs/threads/answering.js';
import type { Helpers } from '../../libs/threads/thread.js';

/** The functions by which another thread uses a drive of this one. */
interface ServedHelpers {
  readonly helpers: Helpers;
  /** Lets commands go on, if the other thread has not. */
  end(): void;
}

export function helpersOf(served: ServedDrive): ServedHelpers {
  let release: (() => void) | undefined;
  let is_over = false;
  const { head, follow, checkpoint, isWithinStep, page, entries, progress } = served;
  const helpers = {
    ...{ head, follow, checkpoint, isWithinStep, page, entries, progress },
    hold: () =>
      new Promise<void>((resolve, reject) => {
        served
          .exclusively(async () => {
            if (is_over) return;
            const held = Promise.withResolvers<void>();
            release = held.resolve;
            resolve();
            await held.promise;
          })
          .catch(reject);
      }),
    release: () => release?.(),
  };
  const end = (): void => {
    is_over = true;
    release?.();
  };
  return { helpers, end };
}

/** The drive of the asker, used by its helpers. */
export function servedByHelpers(asker: Asker): ServedDrive {
  return {
    head: () => asker.call('head'),
    follow: () => asker.call('follow'),
    checkpoint: () => asker.call('checkpoint'),
    isWithinStep: (families) => asker.call('isWithinStep', families),
    page: (family, after) => asker.call('page', family, after),
    entries: (family, ids) => asker.call('entries', family, ids),
    async exclusively(task) {
      await asker.call('hold');
      try {
        return await task();
      } finally {
        await asker.call('release');
      }
    },
    progress(checked_events) {
      asker.call('progress', checked_events).catch(() => {});
    },
  };
}
