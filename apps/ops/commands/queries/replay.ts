import { REPLAY_FAMILIES } from '../../../../libs/application/replay/families.js';
import { Replay } from '../../../../libs/application/replay/replay.js';
import { asking, askingOptions, type OpsCommand } from '../../command.js';
import { EXIT, Failure } from '../../failure.js';
import { point, type WrittenPoint } from '../../points.js';
import { table, time } from '../../output/terminal.js';

interface Options {
  readonly at?: WrittenPoint;
  readonly include?: readonly string[];
  readonly record?: string;
  readonly verify?: boolean;
}

export const replay: OpsCommand = (program, surroundings) => {
  askingOptions(program.command('replay'))
    .description('the state at a point')
    .option('--at <point>', 'the point; absent: now', point)
    .option('--include <families>', 'families to show, comma-separated, or ALL', families)
    .option('--record <id>', 'show this record only')
    .option('--verify', 'fold from the first event and check every hash')
    .action(async (options: Options, command) => {
      await asking(surroundings, command, async (source) => {
        const data = await source.ask(
          { path: 'organization/replay', query: Replay },
          {
            ...options.at?.request,
            include: options.include ?? [],
            record_id: options.record,
            verify: options.verify ?? false,
            hash: true,
            page_size: 1000,
            direction: 'ASC',
          },
        );
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
            ...Object.entries(data.state).map(([family, page]) =>
              table(
                [family, 'record'],
                page.items.map((record) => [idOf(record), record]),
              ),
            ),
          ].join('\n');
        return { data, text };
      });
    });
};

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
