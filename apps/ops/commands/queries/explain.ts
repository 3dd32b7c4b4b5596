import { Explain } from '../../../../libs/application/access/questions.js';
import { asking, askingOptions, type OpsCommand } from '../../command.js';
import { Names, granteeOf, resourceOf } from '../../output/names.js';
import { point, type WrittenPoint } from '../../points.js';
import { asOf, because, can, denied, existence } from '../../output/sentences.js';

interface Options {
  readonly who: string;
  readonly resource: string;
  readonly at?: WrittenPoint;
}

export const explain: OpsCommand = (program, surroundings) => {
  askingOptions(program.command('explain'))
    .description('permissions of a user on a resource, with reasons')
    .requiredOption('--who <id or name>', 'a user, a group or PUBLIC')
    .requiredOption('--resource <id, path or name>', 'a folder, a file, a table or a record')
    .option('--at <point>', 'the point; absent: now', point)
    .action(async (options: Options, command) => {
      await asking(surroundings, command, async (source) => {
        const at = options.at?.request ?? {};
        const grantee_id = await granteeOf(source, at, options.who);
        const resource_id = await resourceOf(source, at, options.resource);
        const question = { path: 'organization/explain', query: Explain };
        const data = await source.ask(question, { ...at, grantee_id, resource_id });
        const held = can(data.permissions, options.at !== undefined);
        const linesOf = (names: Names): string[] => [
          asOf(data),
          ...existence(data),
          `${names.of(grantee_id)} ${held} ${names.of(resource_id)}.`,
          ...because(data.because, names).map((reason) => `  ${reason}`),
          ...(data.denied.length > 0 ? ['These grants did not apply:'] : []),
          ...data.denied.map((grant) => `  ${denied(grant, names)}`),
        ];
        return { data, text: () => new Names(source, [at, {}]).text(linesOf) };
      });
    });
};
