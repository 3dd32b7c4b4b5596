import { Explain } from '../../../libs/application/access/questions.js';
import type { PointRequest } from '../../../libs/engine/points.js';
import { asking, askingOptions, type OpsCommand, point } from '../command.js';
import { table, time } from '../terminal.js';

interface Options {
  readonly who: string;
  readonly resource: string;
  readonly at?: PointRequest;
}

export const explain: OpsCommand = (program, surroundings) => {
  askingOptions(program.command('explain'))
    .description('what somebody may do with a resource, and why')
    .requiredOption('--who <id>', 'a user, a group or PUBLIC')
    .requiredOption('--resource <id>', 'a folder, a file, a table or a record')
    .option('--at <point>', 'the point; absent: now', point)
    .action(async (options: Options, command) => {
      await asking(surroundings, command, async (source) => {
        const { who: grantee_id, resource: resource_id, at } = options;
        const input = { ...at, grantee_id, resource_id };
        const data = await source.ask({ path: 'explain', query: Explain }, input);
        const because = Object.entries(data.because).map(([type, reasons]) => [type, reasons]);
        const text = (): string =>
          [
            `revision ${data.revision}, ${time(data.at_ms)}: ${data.permissions.join(', ') || 'nothing'}`,
            table(['type', 'because'], because),
            table(
              ['did not count'],
              data.denied.map((grant) => [grant]),
            ),
          ].join('\n');
        return { data, text };
      });
    });
};
