import { openApiDocument } from '../../apps/api/openapi-document.js';
import {
  ALIAS_PATHS,
  DRIVE_OPERATIONS,
  FACTORY_OPERATIONS,
  isOperation,
  type Operation,
  type Operations,
  OTHER_PATHS,
} from '../../libs/client/src/operations.js';
import { clientTypes, COMMAND } from '../../tools/client-types.js';
import { read } from '../docs/markdown.js';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
}

const flat = (table: Operations): Operation[] =>
  Object.values(table).flatMap((entry) => (isOperation(entry) ? [entry] : flat(entry)));

const OPERATIONS = [...flat(DRIVE_OPERATIONS), ...flat(FACTORY_OPERATIONS)];

describe('the client package', () => {
  let document: any;

  beforeAll(async () => {
    document = JSON.parse(JSON.stringify(await openApiDocument()));
  });

  const parametersOf = ({ path, method }: Operation): readonly Parameter[] =>
    (document.paths[path][method].parameters ?? []).map((parameter: Parameter) =>
      parameter.$ref
        ? document.components.parameters[parameter.$ref.split('/').at(-1)!]
        : parameter,
    );

  it('has the types of the document', async () => {
    const is_current = read('libs/client/src/generated/api.ts') === (await clientTypes(document));
    // The difference is too long to be shown.
    expect(is_current ? 'current' : `outdated: run "${COMMAND}"`).toBe('current');
  });

  it('has every path of the document', () => {
    const known = [...OPERATIONS.map(({ path }) => path), ...ALIAS_PATHS, ...OTHER_PATHS];
    expect(known.toSorted()).toEqual(Object.keys(document.paths).toSorted());
  });

  it('knows which operations read, take a query, and can be repeated', () => {
    const facts = (operation: Operation): Operation => {
      const parameters = parametersOf(operation);
      const has = (name: string): boolean => parameters.some((one) => one.name === name);
      const queries = parameters.filter(
        (one) => one.in === 'query' && !['as_of', 'as_user', 'envelope'].includes(one.name),
      );
      const is_open = ['query', 'once'].includes(operation.kind);
      const without_key = is_open && !has('as_of') ? operation.kind : 'read';
      return {
        ...operation,
        kind: has('Idempotency-Key') ? 'command' : without_key,
        has_query: queries.length > 0 ? true : undefined,
      };
    };
    expect(OPERATIONS).toEqual(OPERATIONS.map(facts));
  });
});
