import { AccessTimeline } from '../../../../libs/application/access/timeline.js';
import type { HeldInterval } from '../../../../libs/domain/access-questions/timeline.js';
import { asking, askingOptions, type OpsCommand } from '../../command.js';
import { Names, granteeOf, resourceOf } from '../../output/names.js';
import { existence, listed, why } from '../../output/sentences.js';
import { time } from '../../output/terminal.js';

interface Options {
  readonly who: string;
  readonly resource: string;
}

export const timeline: OpsCommand = (program, surroundings) => {
  askingOptions(program.command('timeline'))
    .description('periods in which a user could access a resource')
    .requiredOption('--who <id or name>', 'a user, a group or PUBLIC')
    .requiredOption('--resource <id, path or name>', 'a folder, a file, a table or a record')
    .action(async (options: Options, command) => {
      await asking(surroundings, command, async (source) => {
        const grantee_id = await granteeOf(source, {}, options.who);
        const resource_id = await resourceOf(source, {}, options.resource);
        const question = { path: 'organization/access_timeline', query: AccessTimeline };
        const data = await source.ask(question, { grantee_id, resource_id });
        const { intervals, interval_count } = data;
        // Deleted records are looked up at the time of their grants.
        const past = [intervals.at(-1), intervals[0]].flatMap((one) => one ?? []);
        const points = past.map(({ from_revision: revision }) => ({ revision }));
        const linesOf = (names: Names): string[] => {
          const whose = names.of(grantee_id);
          const what = names.of(resource_id);
          const lines = sameStretches(intervals).map((stretch) =>
            sentence(stretch, whose, what, names),
          );
          if (lines.length === 0) lines.push(`${whose} never had access to ${what}.`);
          if (interval_count > intervals.length)
            lines.unshift(`The last ${intervals.length} of ${interval_count} stretches:`);
          return [`Up to revision ${data.revision}.`, ...existence(data), ...lines];
        };
        return { data, text: () => new Names(source, [{}, ...points]).text(linesOf) };
      });
    });
};

interface Stretch {
  readonly types: string[];
  readonly held: HeldInterval;
}

/** Groups types with equal periods and reasons. */
function sameStretches(intervals: readonly HeldInterval[]): Stretch[] {
  const stretches = new Map<string, Stretch>();
  for (const held of intervals) {
    const { permission_type, ...rest } = held;
    const key = JSON.stringify(rest);
    const known = stretches.get(key);
    if (known) known.types.push(permission_type);
    else stretches.set(key, { types: [permission_type], held });
  }
  return [...stretches.values()];
}

function sentence({ types, held }: Stretch, whose: string, what: string, names: Names): string {
  const { from_ms, to_ms, from_revision, to_revision } = held;
  const reasons = [...new Set(held.because.map((reason) => why(reason, names)))];
  const when =
    to_ms < 0
      ? `since ${time(from_ms)} (r${from_revision})`
      : `from ${time(from_ms)} (r${from_revision}) to ${time(to_ms)} (r${to_revision})`;
  const verb = to_ms < 0 ? 'can' : 'could';
  return `${whose} ${verb} ${listed(types)} ${what} ${when} ${reasons.join('; and ')}.`;
}
