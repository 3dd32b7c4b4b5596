import { KEY, matching, oneOf, secretMatching, Setting, whole } from '../settings/kinds.js';

/** Default side store of each event store; otherwise the embedded one. */
const SIDE_STORES: NodeJS.Dict<string> = { kurrentdb: 'mongodb', memory: 'memory' };

/** Settings of a process's stores. */
export class StoreSettings {
  @Setting('./data', matching(4096, 'a path', /^[^\0]+$/), 'Folder of the embedded stores')
  readonly data_dir!: string;

  @Setting(
    'sqlite',
    oneOf('sqlite', 'kurrentdb', 'memory'),
    'Event store: sqlite (a file), kurrentdb (KurrentDB or EventStoreDB), or memory',
  )
  readonly event_store!: 'sqlite' | 'kurrentdb' | 'memory';

  @Setting(
    {
      rule: 'depends on EVENT_STORE',
      from: ({ event_store }) => SIDE_STORES[String(event_store)] ?? 'sqlite',
    },
    oneOf('sqlite', 'mongodb', 'memory'),
    'Store of keys, caches and jobs: same as EVENT_STORE; with kurrentdb either mongodb (default) or sqlite (in DATA_DIR)',
  )
  readonly side_store!: 'sqlite' | 'mongodb' | 'memory';

  @Setting(
    'memory',
    oneOf('memory', 'mongodb'),
    'Where the index for lists and searches is: memory or mongodb',
  )
  readonly read_model!: 'memory' | 'mongodb';

  @Setting(
    {
      rule: 'gridfs with SIDE_STORE=mongodb, else files',
      from: ({ side_store }) => (side_store === 'mongodb' ? 'gridfs' : 'files'),
    },
    oneOf('files', 'gridfs'),
    'Store of the content of files: the folder content/ of DATA_DIR, or GridFS in MongoDB',
  )
  readonly content_store!: 'files' | 'gridfs';

  @Setting(
    '30',
    whole(0, 36_500),
    'Days for which content is kept after the last file version that has it was removed; 0: until the next sweep',
  )
  readonly content_retention_days!: number;

  @Setting(
    '',
    secretMatching(
      2048,
      'a connection string kurrentdb:// or esdb://, or empty',
      /^(?:(?:kurrentdb|esdb)(?:\+discover)?:\/\/\S+)?$/,
    ),
    'Connection string of the event store (secret); for EVENT_STORE=kurrentdb',
  )
  readonly kurrentdb_url!: string;

  @Setting(
    '',
    secretMatching(
      2048,
      'a connection string mongodb:// or mongodb+srv://, or empty',
      /^(?:mongodb(?:\+srv)?:\/\/\S+)?$/,
    ),
    'Connection string of MongoDB (secret); for READ_MODEL=mongodb, and for keys and jobs with SIDE_STORE=mongodb',
  )
  readonly mongodb_url!: string;

  @Setting(
    'drive_workspace_service',
    matching(63, 'a name of letters, digits, _ and -', /^[\w-]+$/),
    'Database in MongoDB',
  )
  readonly mongodb_database!: string;

  @Setting(
    '0',
    whole(0, 3_600_000),
    'How long startup waits for the store servers; 0: exits at once (milliseconds)',
  )
  readonly store_wait_ms!: number;

  @Setting(
    '',
    KEY,
    'Key that wraps the data keys (secret, 32 bytes as hex or base64); empty: a file created on first startup, unless SIDE_STORE=mongodb',
  )
  readonly master_key!: Buffer | null;

  @Setting(
    '',
    KEY,
    'Ed25519 key that signs digests (secret, 32 bytes as hex or base64); empty: a file created on first startup, unless SIDE_STORE=mongodb',
  )
  readonly signing_key!: Buffer | null;
}

/**
 * Contradictions and missing settings, one sentence each: for a service, or for a command that opens the stores
 * alone.
 */
export function problemsBeside(settings: StoreSettings, user: 'service' | 'command'): string[] {
  const unfit = unfitSideStore(settings) ?? unfitContentStore(settings);
  return unfit === null ? missingBeside(settings, user) : [unfit];
}

function unfitSideStore({ event_store, side_store, read_model }: StoreSettings): string | null {
  const unfit = (fit: string, why: string): string =>
    `SIDE_STORE is "${side_store}" but must be ${fit}, since ${why}.`;
  if (event_store !== 'kurrentdb')
    return side_store === event_store
      ? null
      : unfit(
          `${event_store} or not set`,
          `EVENT_STORE is "${event_store}": keys are stored beside the events`,
        );
  if (side_store === 'memory')
    return unfit(
      'mongodb or sqlite',
      'EVENT_STORE is "kurrentdb": its events outlive their keys otherwise',
    );
  if (side_store === 'sqlite' && read_model === 'mongodb')
    return unfit('mongodb', 'READ_MODEL is "mongodb": a data folder is for one process');
  return null;
}

function unfitContentStore({ content_store, side_store }: StoreSettings): string | null {
  if (side_store !== 'mongodb' || content_store === 'gridfs') return null;
  return `CONTENT_STORE is "files" but must be gridfs or not set, since SIDE_STORE is "mongodb": a folder is for one process.`;
}

function missingBeside(settings: StoreSettings, user: 'service' | 'command'): string[] {
  const { event_store, side_store, read_model } = settings;
  const is_on_servers = event_store === 'kurrentdb';
  const has_documents = user === 'service' && read_model === 'mongodb';
  const beside = has_documents ? 'READ_MODEL is "mongodb"' : 'CONTENT_STORE is "gridfs"';
  const reason = is_on_servers ? 'EVENT_STORE is "kurrentdb"' : beside;
  const needed: [name: string, is_set: boolean][] = [];
  if (is_on_servers) needed.push(['KURRENTDB_URL', settings.kurrentdb_url !== '']);
  // All processes need the same keys; a file would be a different one.
  if (side_store === 'mongodb') needed.push(['MASTER_KEY', settings.master_key !== null]);
  if (side_store === 'mongodb' && user === 'service')
    needed.push(['SIGNING_KEY', settings.signing_key !== null]);
  if (side_store === 'mongodb' || has_documents || settings.content_store === 'gridfs')
    needed.push(['MONGODB_URL', settings.mongodb_url !== '']);
  return needed
    .filter(([, is_set]) => !is_set)
    .map(([name]) => `${name} must be set, since ${reason}.`);
}
