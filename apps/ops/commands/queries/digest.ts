import type { Digest } from '../../../../libs/proofs/digest.js';
import type { Question } from '../../source.js';
import { asking, askingOptions, type OpsCommand } from '../../command.js';
import { point, type WrittenPoint } from '../../points.js';
import { resolved } from '../../records.js';
import { time } from '../../output/terminal.js';

export const digest: OpsCommand = (program, surroundings) => {
  askingOptions(program.command('digest'))
    .description('a signed digest of the whole history; store it elsewhere (--json) for verify')
    .option('--at <point>', 'cover the history up to this point only; absent: all of it', point)
    .action(async ({ at }: { at?: WrittenPoint }, command) => {
      await asking(surroundings, command, async (source) => {
        const input = at ? await resolved(source, 'at', at.request) : {};
        const query = at ? `?revision=${input.revision}` : '';
        const question: Question<object, Digest> = {
          ...{ path: `organization/digest${query}`, query: 'digest', method: 'GET' },
        };
        const data = await source.ask(question, input);
        const text = (): string =>
          [
            `${data.drive_id} has ${data.size} events up to revision ${data.revision}, signed at ${time(data.timestamp_ms)}.`,
            `chain hash  ${data.chain_hash}`,
            `log root    ${data.log_root}`,
            `state hash  ${data.state_hash ?? 'none: it holds events unknown to this release'}`,
            `signed with ${data.public_key}`,
            'Store it as JSON (--json) elsewhere; `ops verify digest.json` checks it, and the stores against it.',
          ].join('\n');
        return { data, text };
      });
    });
};
