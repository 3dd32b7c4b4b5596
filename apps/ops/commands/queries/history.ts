import { GetHistory, type HistoryInput } from '../../../../libs/application/history/history.js';
import {
  asking,
  askingOptions,
  eachOne,
  type OpsCommand,
  type PageOptions,
  pageOptions,
  rowsOf,
} from '../../command.js';
import { opening, point, type WrittenPoint } from '../../points.js';
import { resolved } from '../../records.js';
import type { Source } from '../../source.js';
import { table, time } from '../../output/terminal.js';

interface Options extends PageOptions {
  readonly resource?: string;
  readonly actor?: string;
  readonly type?: readonly string[];
  readonly command?: string;
  readonly request?: string;
  readonly allowedBy?: string;
  readonly reason?: string;
  readonly from?: WrittenPoint;
  readonly to?: WrittenPoint;
  readonly oldestFirst?: boolean;
}

export const history: OpsCommand = (program, surroundings) => {
  pageOptions(askingOptions(program.command('history')))
    .description('who changed what, when')
    .option('--resource <id>', 'only events that concern this record')
    .option('--actor <id>', 'only events of this user')
    .option('--type <type>', 'only this type of events; repeatable', eachOne)
    .option('--command <name>', 'only events of this command')
    .option('--request <id>', 'only events of this request')
    .option('--allowed-by <id>', 'only events allowed by this grant or invite')
    .option('--reason <text>', 'only events whose reason contains this text')
    .option('--from <point>', 'from this event or time; of a date its beginning', opening)
    .option('--to <point>', 'up to this event or time; of a date its end', point)
    .option('--oldest-first', 'oldest first')
    .action(async (options: Options, command) => {
      await asking(surroundings, command, async (source, progress) => {
        const input: Omit<HistoryInput, 'page_size'> = {
          resource_id: options.resource,
          actor: options.actor,
          types: options.type,
          command: options.command,
          correlation_id: options.request,
          allowed_by: options.allowedBy,
          reason: options.reason,
          ...(options.from && (await bound(source, 'from', options.from))),
          ...(options.to && (await bound(source, 'to', options.to))),
          direction: options.oldestFirst ? 'ASC' : 'DESC',
        };
        const question = { path: 'organization/history', query: GetHistory };
        const data = await rowsOf(source, progress, question, input, options);
        const rows = data.items.map((item) => [
          item.revision,
          time(item.timestamp_ms),
          item.summary,
          item.reason,
        ]);
        const text = (): string =>
          `${table(['revision', 'time', 'what', 'why'], rows)}\n${rows.length} of ${data.total}`;
        return { data, text };
      });
    });
};

/** The bound of a history query; a bookmark is resolved to its revision. */
async function bound(
  source: Source,
  end: 'from' | 'to',
  { request }: WrittenPoint,
): Promise<Partial<HistoryInput>> {
  const { at_ms, revision } =
    request.at === undefined ? request : await resolved(source, end, request);
  return {
    ...(at_ms !== undefined && { [`${end}_ms`]: at_ms }),
    ...(revision !== undefined && { [`${end}_revision`]: revision }),
  };
}
