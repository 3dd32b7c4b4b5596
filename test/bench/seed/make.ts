import { type Order, seedFolder } from './datasets.js';

/** Makes seeded data in a process of its own. */
export function inside(order: Order, progress: (text: string) => void) {
  return seedFolder(order, progress);
}
