import { CompareAccess } from '../../../../libs/application/access/past.js';
import type { AccessChange } from '../../../../libs/domain/access-questions/diff.js';
import {
  asking,
  askingOptions,
  type OpsCommand,
  type PageOptions,
  pageOptions,
  rowsOf,
} from '../../command.js';
import { Names, granteeOf, resourceOf } from '../../output/names.js';
import { beginning, point, type WrittenPoint } from '../../points.js';
import { because, existence, listed } from '../../output/sentences.js';
import { time } from '../../output/terminal.js';

interface Options extends PageOptions {
  readonly from: WrittenPoint;
  readonly to?: WrittenPoint;
  readonly who?: string;
  readonly resource?: string;
}

export const diff: OpsCommand = (program, surroundings) => {
  pageOptions(askingOptions(program.command('diff')))
    .description('permissions gained and lost between two points')
    .requiredOption('--from <point>', 'start point; of a date its beginning', beginning)
    .option('--to <point>', 'end point; of a date its end; absent: now', point)
    .option('--who <id or name>', 'only this user or group, or PUBLIC')
    .option('--resource <id, path or name>', 'only this folder, file, table or record')
    .action(async (options: Options, command) => {
      await asking(surroundings, command, async (source, progress) => {
        const [from, to] = [options.from.request, options.to?.request ?? {}];
        const { who, resource } = options;
        const input = {
          ...{ from, to, direction: 'ASC' as const },
          ...(who !== undefined && { grantee_id: await granteeOf(source, to, who) }),
          ...(resource !== undefined && { resource_id: await resourceOf(source, to, resource) }),
        };
        const question = { path: 'organization/access_diff', query: CompareAccess };
        const data = await rowsOf(source, progress, question, input, options);
        const span = [data.from, data.to].map(
          ({ revision, at_ms }) =>
            `revision ${revision}${at_ms === null ? '' : ` (${time(at_ms)})`}`,
        );
        const linesOf = (names: Names): string[] => [
          `From ${span[0]} to ${span[1]}:`,
          ...existence(data),
          ...data.items.flatMap((change) => sentences(change, names)),
          ...(data.items.length === 0 ? ['Nobody gained or lost anything.'] : []),
          `${data.items.length} of ${data.total}`,
        ];
        return { data, text: () => new Names(source, [to, from]).text(linesOf) };
      });
    });
};

function sentences(change: AccessChange, names: Names): string[] {
  const { gained, lost, gained_below, lost_below, revisions } = change;
  const whose = names.of(change.grantee_id);
  const what = names.place(change.resource_root, change.path);
  const said = (verb: string, here: readonly string[], below: readonly string[]): string[] => {
    if (here.length + below.length === 0) return [];
    const on = here.length > 0 ? [`${listed(here)} on ${what}`] : [];
    const under = below.length > 0 ? [`${listed(below)} on what lies below ${what}`] : [];
    return [`${whose} ${verb} ${[...on, ...under].join(', and ')}`];
  };
  const at =
    revisions.length > 0
      ? ` (${revisions.map((one) => `r${one}`).join(', ')})`
      : ' (by time alone)';
  const heads = [...said('gained', gained, gained_below), ...said('lost', lost, lost_below)].map(
    (head) => `${head}${at}.`,
  );
  return [...heads, ...because(change.because, names).map((reason) => `  ${reason}`)];
}
