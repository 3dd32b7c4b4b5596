import { STATE_VERSION } from '../../../../libs/domain/drive/state.js';
import { type Examined, examineStores } from '../../../../libs/engine/verify/examine.js';
import {
  damagedCaches,
  damagedCacheText,
  damagedFiles,
  damagedJobs,
  missingFiles,
} from '../../../../libs/stores/damaged-files.js';
import { readSigningKeyOf, withoutJobs, withOwnCaches } from '../../../../libs/stores/open.js';
import { StoreUnusable } from '../../../../libs/event-store/port.js';
import type { StoreSettings } from '../../../../libs/stores/settings.js';
import { startupErrorOf } from '../../../../libs/stores/startup-errors.js';
import { type OpsCommand, working } from '../../command.js';
import {
  openStores,
  placeOf,
  settingsOf,
  storeOptions,
  type StoreOptions,
  withDocuments,
} from '../../stores.js';

interface Finding extends Omit<Examined, 'check'> {
  readonly check: Examined['check'] | 'versions' | 'settings' | 'files';
}

const MARKS: Readonly<Record<Examined['state'], string>> = {
  ok: 'ok  ',
  warn: 'WARN',
  bad: 'BAD ',
};

/** Oldest Node.js that runs the service. */
const NODE_MAJOR = 24;

export const doctor: OpsCommand = (program, surroundings) => {
  storeOptions(program.command('doctor'))
    .description('examines the stores for problems; only reads, also beside a service')
    .option('--json', 'print the findings as JSON')
    .action(async (options: StoreOptions, command) => {
      await working(surroundings, command, async (progress, signal) => {
        const settings = settingsOf(options, surroundings.terminal.env);
        const findings: Finding[] = [versions()];
        const missing = missingFiles(settings);
        if (missing.length > 0) return reportOf([...findings, ...missing.map(bad)]);
        const opened = await openStores(settings, 'read').catch((error: unknown) => {
          if (error instanceof StoreUnusable) return error;
          throw error;
        });
        if (opened instanceof StoreUnusable)
          return reportOf([...findings, bad(`${opened.message}.`)]);
        const says = `${placeOf(settings)}: opened with the right master key.`;
        findings.push({ check: 'settings', state: 'ok', says }, ...signing(settings));
        try {
          const damaged = [...damagedFiles(settings)];
          const jobs = damagedJobs(settings);
          findings.push(...[...damaged, ...(jobs === null ? [] : [jobs])].map(bad));
          const caches = damagedCaches(settings);
          for (const cache of caches)
            findings.push({ check: 'files', state: 'warn', says: damagedCacheText(cache) });
          const readable = jobs === null ? opened : withoutJobs(opened);
          const stores = caches.length > 0 ? withOwnCaches(readable) : readable;
          // What is read from a damaged file fails.
          if (damaged.length === 0)
            await withDocuments(settings, async (documents) => {
              const examined = examineStores({
                ...{ ...stores, documents, signal, clock: Date.now },
                progress: (at, total) => progress.at(at, total, 'examine'),
              });
              for await (const finding of examined) findings.push(finding);
            });
        } finally {
          await opened.close();
        }
        return reportOf(findings);
      });
    });
};

const bad = (says: string): Finding => ({ check: 'files', state: 'bad', says });

function reportOf(findings: readonly Finding[]) {
  const text = (): string =>
    findings.map(({ state, says }) => `${MARKS[state]} ${says}`).join('\n');
  return { data: { findings }, text, is_bad: findings.some(({ state }) => state === 'bad') };
}

/** Finding on a signing key that is missing or cannot be used. */
function signing(settings: StoreSettings): Finding[] {
  if (settings.side_store !== 'sqlite') return [];
  try {
    if (readSigningKeyOf(settings) !== null) return [];
    const says = `signing.key is missing in ${settings.data_dir}: the service makes a new one, and its digests have another key then.`;
    return [{ check: 'settings', state: 'warn', says }];
  } catch (error) {
    const known = startupErrorOf(error);
    if (!known) throw error;
    return [{ check: 'settings', state: 'bad', says: `${known.message}.` }];
  }
}

function versions(): Finding {
  const { node } = process.versions;
  const is_old = Number.parseInt(node, 10) < NODE_MAJOR;
  return {
    check: 'versions',
    state: is_old ? 'bad' : 'ok',
    says: `Node.js ${node}${is_old ? ` is older than ${NODE_MAJOR}` : ''}, state version ${STATE_VERSION}.`,
  };
}
