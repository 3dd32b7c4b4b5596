import { FILTER_CASES } from './contract/filters.contract.js';
import type { ContractCase } from './contract/fixtures.contract.js';
import { LIST_CASES } from './contract/lists.contract.js';
import { agreesWithSlowModel } from './contract/property.contract.js';
import { SEARCH_CASES } from './contract/search.contract.js';
import { STEP_CASES } from './contract/steps.contract.js';

export type { ContractCase, MakeModel } from './contract/fixtures.contract.js';

const PROPERTY_RUNS = 150;

/**
 * What every read model must do. Each adapter's spec wraps every case in a test:
 * `test.each(READ_MODEL_CONTRACT)('$name', ({ run }) => run(makeModel))`.
 */
export const READ_MODEL_CONTRACT: readonly ContractCase[] = [
  ...LIST_CASES,
  ...FILTER_CASES,
  ...SEARCH_CASES,
  ...STEP_CASES,
  agreesWithSlowModel(PROPERTY_RUNS),
];
