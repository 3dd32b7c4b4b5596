import { randomInt } from 'node:crypto';

/** Chooses the seed of a run of specs, unless `SPEC_SEED` names one, and says how to repeat it. */
export default function chooseSeed(): void {
  process.env.SPEC_SEED ??= String(randomInt(2 ** 31));
  console.error(`Ids, codes and keys of this run: SPEC_SEED=${process.env.SPEC_SEED}`);
}
