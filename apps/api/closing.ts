import type { OnApplicationShutdown } from '@nestjs/common';
import { Unfinished } from '../../libs/engine/drives/shutdown-steps.js';

/** Closes what lies under the application, once no request is running any more. */
export class Closing implements OnApplicationShutdown {
  /** What is not closed yet. */
  readonly unfinished = new Unfinished();

  constructor(private readonly close: (unfinished: Unfinished) => Promise<void>) {}

  onApplicationShutdown(): Promise<void> {
    return this.close(this.unfinished);
  }
}
