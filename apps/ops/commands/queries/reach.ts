import { InvalidArgumentError } from 'commander';
import { Reach, type ReachInput } from '../../../../libs/application/access/questions.js';
import type { Reached } from '../../../../libs/domain/access-questions/reach.js';
import { REACHABLE_FAMILIES } from '../../../../libs/domain/drive/record-kinds.js';
import {
  asking,
  askingOptions,
  eachOne,
  type OpsCommand,
  type PageOptions,
  pageOptions,
  permissionType,
  rowsOf,
} from '../../command.js';
import { Names, granteeOf } from '../../output/names.js';
import { point, type WrittenPoint } from '../../points.js';
import { asOf, because, existence } from '../../output/sentences.js';
import { table } from '../../output/terminal.js';

interface Options extends PageOptions {
  readonly who: string;
  readonly type?: ReachInput['permission_type'];
  readonly family?: readonly string[];
  readonly each?: boolean;
  readonly at?: WrittenPoint;
}

export const reach: OpsCommand = (program, surroundings) => {
  pageOptions(askingOptions(program.command('reach')))
    .description('all resources that a user can access')
    .requiredOption('--who <id or name>', 'a user, a group or PUBLIC')
    .option('--type <type>', 'only resources with this permission type', permissionType)
    .option('--family <name>', 'only resources of this family; repeatable', eachFamily)
    .option('--each', 'list every resource; else a folder represents its content')
    .option('--at <point>', 'the point; absent: now', point)
    .action(async (options: Options, command) => {
      await asking(surroundings, command, async (source, progress) => {
        const at = options.at?.request ?? {};
        const grantee_id = await granteeOf(source, at, options.who);
        const { type: permission_type, family: families = [], each } = options;
        const asked = { grantee_id, families, permission_type, collapse: !each };
        const input = { ...at, ...asked, direction: 'ASC' as const };
        const question = { path: 'organization/reach', query: Reach };
        const data = await rowsOf(source, progress, question, input, options);
        const linesOf = (names: Names): string[] => {
          const rows = data.items.map((reached) => [
            names.place(reached.resource_id, reached.path),
            reached.types.join(', '),
            below(reached),
            because(reached.because, names).join('\n'),
          ]);
          return [
            asOf(data),
            ...existence(data),
            `Resources that ${names.of(grantee_id)} can access:`,
            table(['what', 'holds', 'below', 'why'], rows),
            `${rows.length} of ${data.total}`,
          ];
        };
        return { data, text: () => new Names(source, [at, {}]).text(linesOf) };
      });
    });
};

function eachFamily(name: string, before?: readonly string[]): readonly string[] {
  if (REACHABLE_FAMILIES.includes(name)) return eachOne(name, before);
  throw new InvalidArgumentError(`Unknown family: give one of ${REACHABLE_FAMILIES.join(', ')}.`);
}

/** Permissions that apply to everything below, and the number of places below with permissions of their own. */
function below({ types_below, cuts }: Reached): string {
  const own = cuts.length > 0 ? `without ${cuts.length} with permissions of their own` : '';
  return [types_below.join(', '), own].filter((part) => part !== '').join('\n');
}
