import { REPLAY_FAMILIES } from '../../../../libs/application/replay/families.js';
import type { ListPage } from '../../../../libs/application/list-records.js';
import { Replay } from '../../../../libs/application/replay/replay.js';
import type { PointRequest } from '../../../../libs/engine/past/points.js';
import {
  asking,
  askingOptions,
  type OpsCommand,
  type PageOptions,
  pageOptions,
} from '../../command.js';
import { EXIT, Failure } from '../../failure.js';
import { point, type WrittenPoint } from '../../points.js';
import { answersAt, LARGEST_PAGE } from '../../records.js';
import type { Source } from '../../source.js';
import type { Progress } from '../../output/progress.js';
import { table, time } from '../../output/terminal.js';

interface Options extends PageOptions {
  readonly at?: WrittenPoint;
  readonly include?: readonly string[];
  readonly record?: string;
  readonly verify?: boolean;
}

export const replay: OpsCommand = (program, surroundings) => {
  pageOptions(askingOptions(program.command('replay')), LARGEST_PAGE)
    .description('the state at a point')
    .option('--at <point>', 'the point; absent: now', point)
    .option('--include <families>', 'families to show, comma-separated, or ALL', families)
    .option('--record <id>', 'show this record only')
    .option('--verify', 'fold from the first event and check every hash')
    .action(async (options: Options, command) => {
      await asking(surroundings, command, async (source, progress) => {
        const most = options.all ? Infinity : options.limit;
        const answer = await source.ask(
          { path: 'organization/replay', query: Replay },
          {
            ...options.at?.request,
            include: options.include ?? [],
            record_id: options.record,
            verify: options.verify ?? false,
            hash: true,
            page_size: Math.min(LARGEST_PAGE, most),
            direction: 'ASC',
          },
        );
        const request = options.at?.request ?? {};
        // Further pages are of the time of the first one.
        const at = Object.keys(request).length > 0 ? request : { at_ms: answer.at_ms };
        const state: Record<string, ListPage<object>> = {};
        for (const [family, page] of Object.entries(answer.state))
          state[family] = await continued(source, progress, at, family, page, most);
        const data = { ...answer, state };
        const text = (): string =>
          [
            table(
              ['', ''],
              [
                ['revision', data.revision],
                ['time', time(data.at_ms)],
                ['last event', `${data.last_event.type} by ${data.last_event.command}`],
                ['state hash', data.state_hash],
                ['chain hash', data.chain_hash],
                ['log root', data.log_root],
                ['verified', data.verified ?? 'not requested'],
                ['events folded', data.events_folded],
              ],
            ),
            table(['family', 'records'], Object.entries(data.counts)),
            ...Object.entries(data.state).flatMap(([family, { items, total }]) => [
              table(
                [family, 'record'],
                items.map((record) => [idOf(record), record]),
              ),
              `${items.length} of ${total}`,
            ]),
          ].join('\n');
        return { data, text };
      });
    });
};

/** A page with the records that follow it, up to the maximum: all families of an answer share its length. */
async function continued(
  source: Source,
  progress: Progress,
  at: PointRequest,
  family: string,
  first: ListPage<object>,
  most: number,
): Promise<ListPage<object>> {
  const items = [...first.items];
  let { cursor_down } = first;
  if (cursor_down === null || items.length >= most) return first;
  const wanted = { most: most - items.length, cursor_down };
  for await (const { state } of answersAt(source, at, family, wanted)) {
    const page = state[family]!;
    items.push(...page.items);
    ({ cursor_down } = page);
    progress.at(items.length, page.total, family);
  }
  return { ...first, items, cursor: cursor_down, cursor_down };
}

function idOf(record: object): unknown {
  const { id, name } = record as { id?: string; name?: string };
  return id ?? name;
}

export function families(text: string): string[] {
  const known = [...REPLAY_FAMILIES, 'ALL'] as const;
  return text.split(',').map((name) => {
    const family = known.find((one) => one === name.trim());
    if (!family)
      throw new Failure(`${name} is not a family: give some of ${known.join(', ')}.`, EXIT.usage);
    return family;
  });
}
