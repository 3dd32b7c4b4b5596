import { FILTER_CASES } from './contract/filters.contract.js';
import type { ContractCase } from './contract/fixtures.contract.js';
import { LIST_CASES } from './contract/lists.contract.js';
import { agreesWithManyRecords } from './contract/many-records.contract.js';
import { agreesWithSlowModel } from './contract/property.contract.js';
import { SEARCH_CASES } from './contract/search.contract.js';
import { stepCases } from './contract/steps.contract.js';

interface ContractBounds {
  /** Random histories that the property is tried with. */
  readonly property_runs: number;
  /** Documents that are many. */
  readonly many: number;
}

const BOUNDS: ContractBounds = { property_runs: 150, many: 5000 };

/**
 * What every read model must do. Each adapter's spec wraps every case in a test:
 * `test.each(READ_MODEL_CONTRACT)('$name', ({ run }) => run(makeModel))`.
 */
export const READ_MODEL_CONTRACT: readonly ContractCase[] = readModelContract(BOUNDS);

/** The same cases with other bounds, for a server that takes long over a query. */
export function readModelContract({
  property_runs,
  many,
}: ContractBounds): readonly ContractCase[] {
  return [
    ...LIST_CASES,
    ...FILTER_CASES,
    ...SEARCH_CASES,
    ...stepCases(many),
    agreesWithSlowModel(property_runs),
    agreesWithManyRecords(Math.ceil(property_runs / 3)),
  ];
}
