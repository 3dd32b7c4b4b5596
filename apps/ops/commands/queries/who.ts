import { Who, type WhoInput } from '../../../../libs/application/access/questions.js';
import {
  asking,
  askingOptions,
  type OpsCommand,
  type PageOptions,
  pageOptions,
  permissionType,
  rowsOf,
} from '../../command.js';
import { Names, resourceOf } from '../../output/names.js';
import { point, type WrittenPoint } from '../../points.js';
import { asOf, because, existence } from '../../output/sentences.js';
import { table } from '../../output/terminal.js';

interface Options extends PageOptions {
  readonly resource: string;
  readonly type?: WhoInput['permission_type'];
  readonly at?: WrittenPoint;
}

export const who: OpsCommand = (program, surroundings) => {
  pageOptions(askingOptions(program.command('who')))
    .description('all users with access to a resource')
    .requiredOption('--resource <id, path or name>', 'a folder, a file, a table or a record')
    .option('--type <type>', 'only users with this permission type', permissionType)
    .option('--at <point>', 'the point; absent: now', point)
    .action(async (options: Options, command) => {
      await asking(surroundings, command, async (source, progress) => {
        const at = options.at?.request ?? {};
        const resource_id = await resourceOf(source, at, options.resource);
        const asked = { resource_id, permission_type: options.type };
        const input = { ...at, ...asked, direction: 'ASC' as const };
        const question = { path: 'organization/who', query: Who };
        const data = await rowsOf(source, progress, question, input, options);
        const linesOf = (names: Names): string[] => {
          const rows = data.items.map((holder) => [
            names.of(holder.grantee_id),
            holder.types.join(', '),
            because(holder.because, names).join('\n'),
          ]);
          return [
            asOf(data),
            ...existence(data),
            `Users with access to ${names.of(resource_id)}:`,
            table(['who', 'holds', 'why'], rows),
            `${rows.length} of ${data.total}`,
          ];
        };
        return { data, text: () => new Names(source, [at, {}]).text(linesOf) };
      });
    });
};
