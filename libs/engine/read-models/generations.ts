import { randomUUID } from 'node:crypto';

/** Longest time that anybody is at work on a generation, ms. */
const LONGEST_BUILD_MS = 3_600_000;

/** A name for a generation of read models that no other has; it tells when it was made. */
export function newGeneration(): string {
  return `${Date.now()}-${randomUUID()}`;
}

/** True if a generation was made so long ago that nobody is building it any more. */
export function isOld(generation: string): boolean {
  return Date.now() - Number.parseInt(generation, 10) > LONGEST_BUILD_MS;
}
