import { randomUUID } from 'node:crypto';

/** Maximum duration of a build, ms. */
const LONGEST_BUILD_MS = 3_600_000;

/** A unique name for a generation of read models; it contains its creation time. */
export function newGeneration(): string {
  return `${Date.now()}-${randomUUID()}`;
}

/** True if a generation is too old to be still in progress. */
export function isOld(generation: string): boolean {
  return Date.now() - Number.parseInt(generation, 10) > LONGEST_BUILD_MS;
}
