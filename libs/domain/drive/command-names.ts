import { FAMILIES } from './families.js';

/** Names of all commands of this release, as events are stored with them. */
export const COMMAND_NAMES: ReadonlySet<string> = new Set(
  FAMILIES.flatMap(({ commands }) => Object.values(commands).map(({ name }) => name)),
);
