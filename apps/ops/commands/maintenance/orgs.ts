import {
  describeOrganizations,
  type OrganizationSummary,
} from '../../../../libs/application/factory/organizations.js';
import { type OpsCommand, working } from '../../command.js';
import { reading, settingsOf, storeOptions, type StoreOptions } from '../../stores.js';
import { table, time } from '../../output/terminal.js';

export const orgs: OpsCommand = (program, surroundings) => {
  storeOptions(program.command('orgs'))
    .description('lists all organizations of the stores; only reads, also beside a service')
    .option('--json', 'print the list as JSON')
    .action(async (options: StoreOptions, command) => {
      await working(surroundings, command, async (progress, signal) => {
        const settings = settingsOf(options, surroundings.terminal.env);
        return reading(settings, async (drives) => {
          const found: OrganizationSummary[] = [];
          const all = describeOrganizations(drives, (done, total) =>
            progress.at(done, total, 'read organizations'),
          );
          for await (const one of all) {
            signal.throwIfAborted();
            found.push(one);
          }
          found.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
          return { data: { organizations: found }, text: () => textOf(found) };
        });
      });
    });
};

function textOf(found: readonly OrganizationSummary[]): string {
  const rows = found.map(({ unavailable, ...one }) => [
    unavailable === null ? one.name : `(cannot be read: ${unavailable})`,
    one.id,
    String(one.events),
    one.last_event_ms === null ? '' : time(one.last_event_ms),
    one.owner_name === '' ? one.owner_id : one.owner_name,
  ]);
  const head = ['name', 'id', 'events', 'last event', 'owner'];
  return `${table(head, rows)}\n${found.length} organization${found.length === 1 ? '' : 's'}`;
}
