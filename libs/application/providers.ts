import type { Provider } from '@nestjs/common';

const providers: Provider[] = [];

/** Adds a class to the application, such as the handler of a command. */
export function Provided(provider: Provider & object): void {
  providers.push(provider);
}

/** The classes that loaded modules add: each family's are loaded with its controllers. */
export function applicationProviders(): readonly Provider[] {
  return providers;
}
