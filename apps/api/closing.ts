import type { OnApplicationShutdown } from '@nestjs/common';
import { Unfinished } from '../../libs/engine/drives/drives.js';

/** Closes the engine and the stores at shutdown, after the last request. */
export class Closing implements OnApplicationShutdown {
  readonly unfinished = new Unfinished();

  constructor(private readonly close: (unfinished: Unfinished) => Promise<void>) {}

  onApplicationShutdown(): Promise<void> {
    return this.close(this.unfinished);
  }
}
