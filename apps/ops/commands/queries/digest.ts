import type { Digest } from '../../../../libs/proofs/digest.js';
import type { Question } from '../../source.js';
import { asking, askingOptions, type OpsCommand } from '../../command.js';
import { time } from '../../output/terminal.js';

export const digest: OpsCommand = (program, surroundings) => {
  askingOptions(program.command('digest'))
    .description('a signed digest of the whole history; store it elsewhere (--json) for verify')
    .action(async (_options: object, command) => {
      await asking(surroundings, command, async (source) => {
        const question: Question<object, Digest> = {
          ...{ path: 'organization/digest', query: 'digest', method: 'GET' },
        };
        const data = await source.ask(question, {});
        const text = (): string =>
          [
            `${data.drive_id} has ${data.size} events up to revision ${data.revision}, as of ${time(data.timestamp_ms)}.`,
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
