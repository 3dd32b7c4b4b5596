import { startupErrorOf } from '../../../../libs/stores/startup-errors.js';
import type { Granted } from '../../../../libs/stores/grant.js';
import { type OpsCommand, type Surroundings, working } from '../../command.js';
import { EXIT, Failure } from '../../failure.js';
import { valuesOf } from '../../stores.js';
import { textIn } from '../../text-in.js';
import { table } from '../../output/terminal.js';

interface Options {
  readonly user: string;
  readonly adminFile: string;
  readonly settings?: string;
  readonly dryRun?: boolean;
}

/** Maintenance of KurrentDB or EventStoreDB itself. */
export const kurrentdb: OpsCommand = (program, surroundings) => {
  const parent = program
    .command('kurrentdb')
    .description('prepares KurrentDB or EventStoreDB for the service');
  parent
    .command('grant')
    .description('grants a user of the event store exactly the permissions of the service')
    .requiredOption('--user <login>', 'the user in KURRENTDB_URL; it must exist')
    .requiredOption(
      '--admin-file <path>',
      'file with login:password of an administrator in its first line',
    )
    .option('--settings <file>', 'file with KURRENTDB_URL; else the environment is used')
    .option('--dry-run', 'show the changes without writing them')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: Options, command) => {
      await working(surroundings, command, async () => {
        const granted = await grant(options, surroundings);
        return {
          data: { ...granted, written: !options.dryRun },
          text: () => textOf(options, granted),
        };
      });
    });
};

async function grant(
  { user, adminFile, settings, dryRun }: Options,
  { terminal }: Surroundings,
): Promise<Granted> {
  if (!/^[^$:\s][^:\s]*$/.test(user))
    throw new Failure(`${user} is not a login of a user.`, EXIT.usage);
  const admin = credentialsIn(adminFile);
  const url = valuesOf({ settings }, terminal.env)['KURRENTDB_URL'];
  if (!url) throw new Failure('KURRENTDB_URL is not set; give --settings or set it.', EXIT.usage);
  const { GrantRefused, grantRights } = await import('../../../../libs/stores/grant.js');
  try {
    return await grantRights({ url, admin, user, is_dry_run: dryRun === true });
  } catch (error) {
    if (error instanceof GrantRefused) throw new Failure(sentence(error), EXIT.refused);
    const known = startupErrorOf(error);
    throw known ? new Failure(sentence(known), EXIT.unreachable) : error;
  }
}

/** @throws Failure, which never shows the line */
function credentialsIn(file: string): { username: string; password: string } {
  const { username = '', password = '' } =
    /^(?<username>[^:\r\n]+):(?<password>[^\r\n]+)/.exec(textIn(file))?.groups ?? {};
  if (password === '')
    throw new Failure(`${file} must hold login:password in its first line.`, EXIT.usage);
  return { username, password };
}

function textOf({ user, dryRun }: Options, { hosts, changes, events }: Granted): string {
  if (changes.length === 0)
    return `The user ${user} already has these permissions in the event store at ${hosts}.`;
  const rows = changes.map(({ of, right, before, after }) => [
    of,
    right,
    before?.join(', ') ?? 'not set',
    after.join(', '),
  ]);
  return [
    table(['of', 'right', 'before', 'after'], rows),
    ...events.map(({ stream, type, data }) => `${stream}  ${type}  ${JSON.stringify(data)}`),
    dryRun ? 'Nothing was written.' : `Written to the event store at ${hosts}.`,
  ].join('\n');
}

function sentence({ message }: Error): string {
  const text = `${message[0]!.toUpperCase()}${message.slice(1)}`;
  return text.endsWith('.') ? text : `${text}.`;
}
