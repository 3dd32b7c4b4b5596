import type { OnApplicationShutdown } from '@nestjs/common';

/** Closes what lies under the application, once no request is running any more. */
export class Closing implements OnApplicationShutdown {
  constructor(private readonly close: () => Promise<void>) {}

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
