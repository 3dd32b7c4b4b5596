import { Who, type WhoInput } from '../../../libs/application/access/questions.js';
import type { PointRequest } from '../../../libs/engine/points.js';
import { asking, askingOptions, type OpsCommand, pageOptions, point, rowsOf } from '../command.js';
import { table } from '../terminal.js';

interface Options {
  readonly resource: string;
  readonly type?: string;
  readonly at?: PointRequest;
  readonly limit: number;
  readonly all?: boolean;
}

export const who: OpsCommand = (program, surroundings) => {
  pageOptions(askingOptions(program.command('who')))
    .description('everybody who holds something on a resource')
    .requiredOption('--resource <id>', 'a folder, a file, a table or a record')
    .option('--type <type>', 'only who holds this type')
    .option('--at <point>', 'the point; absent: now', point)
    .action(async (options: Options, command) => {
      await asking(surroundings, command, async (source, progress) => {
        const { resource: resource_id, type, at } = options;
        const input: Omit<WhoInput, 'page_size'> = {
          ...at,
          resource_id,
          direction: 'ASC',
          ...(type !== undefined && { permission_type: type as WhoInput['permission_type'] }),
        };
        const data = await rowsOf(source, progress, { path: 'who', query: Who }, input, options);
        const rows = data.items.map((holder) => [holder.grantee_id, holder.types.join(', ')]);
        const text = (): string =>
          `${table(['who', 'holds'], rows)}\n${rows.length} of ${data.total}, revision ${data.revision}`;
        return { data, text };
      });
    });
};
