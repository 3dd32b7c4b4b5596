import * as fc from 'fast-check';
import { TreePair, treeStep } from './tree-pair.js';

/** Commands of one run. */
const COMMANDS = Number(process.env.TREE_COMMANDS ?? 5_000);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 2);
const BETWEEN_COMPARISONS = 100;

describe('a file tree under random commands', () => {
  it('has the paths, the listings and the refusals of a plain nested map', () => {
    const met = { accepted: 0, refused: 0, swept: 0 };
    const seed = Number(process.env.PROPERTY_SEED ?? Date.now() & 0x7fffffff);
    process.stdout.write(`file tree: seed ${seed}, ${RUNS} runs of ${COMMANDS} commands\n`);
    fc.assert(
      fc.property(
        fc.array(treeStep, { minLength: COMMANDS, maxLength: COMMANDS, size: 'max' }),
        (steps) => {
          const pair = new TreePair();
          steps.forEach((taken, at) => {
            pair.take(taken);
            if (at % BETWEEN_COMPARISONS === 0) pair.compare();
          });
          pair.compare();
          met.accepted += pair.accepted;
          met.refused += pair.refused;
          met.swept += pair.swept;
        },
      ),
      { seed, numRuns: RUNS, endOnFailure: true },
    );
    process.stdout.write(`${met.accepted} accepted, ${met.refused} refused, ${met.swept} swept\n`);
    expect(met.swept).toBeGreaterThan(0);
    expect(met.accepted).toBeGreaterThan(met.refused / 4);
  });
});
