import { Compare } from '../../../../libs/application/history/compare.js';
import {
  asking,
  askingOptions,
  type OpsCommand,
  type PageOptions,
  pageOptions,
  rowsOf,
} from '../../command.js';
import { beginning, point, type WrittenPoint } from '../../points.js';
import { cell, table } from '../../output/terminal.js';
import { families } from './replay.js';

interface Options extends PageOptions {
  readonly from: WrittenPoint;
  readonly to?: WrittenPoint;
  readonly include?: readonly string[];
}

export const compare: OpsCommand = (program, surroundings) => {
  pageOptions(askingOptions(program.command('compare')))
    .description('changes between two points')
    .requiredOption('--from <point>', 'start point; of a date its beginning', beginning)
    .option('--to <point>', 'end point; of a date its end; absent: now', point)
    .option('--include <families>', 'families to compare, comma-separated; absent: all', families)
    .action(async (options: Options, command) => {
      await asking(surroundings, command, async (source, progress) => {
        const { include = [] } = options;
        const [from, to] = [options.from.request, options.to?.request ?? {}];
        const question = { path: 'organization/compare', query: Compare };
        const input = { from, to, include, direction: 'ASC' as const };
        const data = await rowsOf(source, progress, question, input, options);
        const rows = data.items.map((item) => [
          item.change,
          item.family,
          item.name,
          item.change === 'UPDATED'
            ? item.fields
                .map(({ field, before, after }) => `${field}: ${cell(before)} → ${cell(after)}`)
                .join('\n')
            : '',
          item.revisions.join(' '),
        ]);
        const head = ['change', 'family', 'name', 'fields', 'revisions'];
        const points = `revision ${data.from.revision} to ${data.to.revision}`;
        const text = (): string =>
          `${table(head, rows)}\n${rows.length} of ${data.total}, ${points}`;
        return { data, text };
      });
    });
};
