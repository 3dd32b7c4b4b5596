import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { SettingsError } from '../../../../libs/settings/read.js';
import {
  frontendUrl,
  loadSettings,
  misspelledSettings,
  publicUrl,
  SETTINGS_TABLE,
} from './settings.js';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
};

const HEX_KEY = 'ab'.repeat(32);

describe('settings', () => {
  it('has a default for every variable', () => {
    expect(loadSettings({}).toJSON()).toMatchInlineSnapshot(`
     {
       "batch_max_bytes": 524288,
       "batch_max_commands": 256,
       "body_limit_bytes": 1048576,
       "bucket_checks_max": 16,
       "bucket_timeout_ms": 5000,
       "close_timeout_ms": 5000,
       "cold_loads_max": 4,
       "connection_requests_waiting": 16,
       "content_downloads_max": 256,
       "content_max_bytes": 5368709120,
       "content_min_bytes_per_s": 1024,
       "content_quota_bytes": 0,
       "content_retention_days": 30,
       "content_slow_ms": 30000,
       "content_store": "files",
       "content_unfinished_uploads_max": 100,
       "content_uploads_max": 64,
       "data_dir": "./data",
       "default_disk": "Files",
       "directory_items_per_action": 50000,
       "event_store": "sqlite",
       "everyone_disk_permissions": [
         "VIEW",
         "UPLOAD",
         "EDIT",
       ],
       "factory_admin_keys": [],
       "factory_free_mode": true,
       "factory_keys": [],
       "feed_heartbeat_ms": 15000,
       "feed_unread_bytes": 1048576,
       "feeds_max": 10000,
       "feeds_per_caller": 16,
       "feeds_per_drive": 1000,
       "feeds_unread_bytes": 67108864,
       "folded_events_per_caller": 5000000,
       "folded_events_per_drive": 20000000,
       "frontend_url": "",
       "host": "127.0.0.1",
       "kurrentdb_url": "",
       "log_level": "info",
       "long_questions_per_caller": 8,
       "long_questions_per_drive": 32,
       "master_key": null,
       "min_revision_wait_ms": 5000,
       "mongodb_database": "drive_workspace_service",
       "mongodb_url": "",
       "organization_records_max": 2000000,
       "past_cache_bytes": 268435456,
       "port": 3000,
       "production": false,
       "public_url": "",
       "queue_max_commands": 10000,
       "rate_limit_client": 600,
       "rate_limit_drive": 6000,
       "rate_limit_factory": 6000,
       "rate_limit_factory_client": 600,
       "rate_limit_window_ms": 60000,
       "rate_limits": true,
       "read_model": "memory",
       "read_model_lag_events": 10000,
       "read_model_wait_ms": 5000,
       "read_wait_ms": 2000,
       "request_timeout_ms": 30000,
       "require_token_audience": false,
       "responses_unread_bytes": 268435456,
       "shown_cache_bytes": 134217728,
       "shutdown_timeout_ms": 10000,
       "side_store": "sqlite",
       "signalling_all_unread_bytes": 67108864,
       "signalling_heartbeat_ms": 30000,
       "signalling_idle_ms": 300000,
       "signalling_message_bytes": 65536,
       "signalling_messages_per_second": 50,
       "signalling_peers_max": 10000,
       "signalling_relayed_per_second": 10000,
       "signalling_room_peers_max": 50,
       "signalling_rooms_max": 1000,
       "signalling_topics_max": 100,
       "signalling_unread_bytes": 1048576,
       "signing_key": null,
       "snapshot_after_events": 5000,
       "snapshot_disk_bytes": 10737418240,
       "snapshot_every_events": 100000,
       "state_cache_bytes": 1073741824,
       "store_wait_ms": 0,
       "transaction_answer_bytes": 8388608,
       "transfer_wait_ms": 86400000,
       "trash_days": 30,
       "trusted_proxies": [],
       "verify_bucket_uploads": true,
       "webhook_parallel_max": 32,
       "webhook_queue_max": 10000,
       "webhook_timeout_ms": 10000,
       "worker_lease_ms": 15000,
       "worker_partitions": 64,
     }
    `);
  });

  it('reads every row of its table from the environment, defaults included', () => {
    // Defaults that depend on other settings are tested below.
    const written = Object.fromEntries(
      SETTINGS_TABLE.filter(
        ({ name }) => !['PRODUCTION', 'SIDE_STORE', 'CONTENT_STORE'].includes(name),
      ).map((row) => [row.name, row.default]),
    );
    expect(loadSettings(written)).toEqual(loadSettings({}));
  });

  it('names each invalid variable once, with its value and the allowed values', () => {
    expect(
      problemsOf({ PORT: '70000', EVENT_STORE: 'postgres', RATE_LIMITS: 'yes', LOG_LEVEL: 'loud' }),
    ).toEqual([
      'PORT is "70000" but must be a whole number from 0 to 65535.',
      'RATE_LIMITS is "yes" but must be one of on, off.',
      'LOG_LEVEL is "loud" but must be one of trace, debug, info, warn, error, fatal, silent.',
      'EVENT_STORE is "postgres" but must be one of sqlite, kurrentdb, memory.',
    ]);
  });

  it.each([
    ['PORT', '0', '-1'],
    ['PORT', '65535', '65536'],
    ['RATE_LIMIT_CLIENT', '1', '0'],
    ['RATE_LIMIT_WINDOW_MS', '1000', '999'],
    ['BODY_LIMIT_BYTES', '1024', '1e6'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, ::1', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '127.0.0.1', 'proxy.example'],
    ['PUBLIC_URL', 'https://drive.example/base/', 'ftp://drive.example'],
    ['PUBLIC_URL', 'http://drive.example', 'http://user@drive.example'],
    ['EVERYONE_DISK_PERMISSIONS', 'view, MANAGE', 'VIEW,FLY'],
    ['PRODUCTION', 'true', '1'],
    ['FACTORY_FREE_MODE', 'false', 'closed'],
  ])('%s accepts %s and refuses %s', (name, good, bad) => {
    expect(problemsOf({ [name]: good })).toEqual([]);
    expect(problemsOf({ [name]: bad })).toHaveLength(1);
  });

  it.each([
    ['127.0.0.1', false],
    ['127.9.9.9', false],
    ['::1', false],
    ['::ffff:127.0.0.1', false],
    ['localhost', false],
    ['LocalHost', false],
    ['0.0.0.0', true],
    ['::', true],
    ['192.168.1.4', true],
    ['drive.internal', true],
    ['localhost.example', true],
  ])('with HOST %s and PRODUCTION unset, production is %s', (HOST, production) => {
    expect(loadSettings({ HOST }).production).toBe(production);
    expect(loadSettings({ HOST, PRODUCTION: '' }).production).toBe(production);
    for (const set of [true, false])
      expect(loadSettings({ HOST, PRODUCTION: String(set) }).production).toBe(set);
  });

  it('shows in its table that a default depends on another setting', () => {
    expect(SETTINGS_TABLE.find(({ name }) => name === 'PRODUCTION')?.default).toBe(
      'true unless loopback HOST',
    );
    expect(problemsOf({ HOST: 'no host' })).toHaveLength(1);
  });

  it('accepts a master key as hex or base64 and never shows it', () => {
    const base64 = Buffer.from(HEX_KEY, 'hex').toString('base64');
    for (const MASTER_KEY of [HEX_KEY, base64, base64.replace('=', '')]) {
      const settings = loadSettings({ MASTER_KEY });
      expect(settings.master_key?.toString('hex')).toBe(HEX_KEY);
      for (const shown of [JSON.stringify(settings), inspect(settings, { showHidden: true })]) {
        expect(shown).not.toContain(MASTER_KEY);
        expect(shown).toContain('***');
      }
    }
    expect(problemsOf({ MASTER_KEY: 'hunter2' })).toEqual([
      'MASTER_KEY must be 32 bytes as 64 hex characters or as base64, or empty.',
    ]);
  });

  it('stores only the digests of factory keys, and never shows them', () => {
    const keys = ['k'.repeat(32), `!~${'x'.repeat(4094)}`];
    const settings = loadSettings({ FACTORY_KEYS: keys.join(' , '), FACTORY_ADMIN_KEYS: keys[0]! });
    const digests = keys.map((key) => createHash('sha256').update(key).digest('hex'));
    expect([settings.factory_keys, settings.factory_admin_keys]).toEqual([digests, [digests[0]]]);
    for (const shown of [JSON.stringify(settings), inspect(settings, { showHidden: true })])
      for (const secret of [...keys, ...digests]) expect(shown).not.toContain(secret);
  });

  it.each(['k'.repeat(31), `!~${'x'.repeat(4095)}`, `${'k'.repeat(32)} x`, `${'k'.repeat(32)}ä`])(
    'refuses the factory key %p without repeating it',
    (key) => {
      const allowed =
        'must be a comma-separated list of keys of 32 to 4096 visible ASCII characters each, or empty.';
      expect(
        problemsOf({ FACTORY_KEYS: key, FACTORY_ADMIN_KEYS: `${'k'.repeat(32)},${key}` }),
      ).toEqual([`FACTORY_KEYS ${allowed}`, `FACTORY_ADMIN_KEYS ${allowed}`]);
    },
  );

  it('accepts an empty text only where empty has a meaning', () => {
    expect(loadSettings({ EVERYONE_DISK_PERMISSIONS: '' }).everyone_disk_permissions).toEqual([]);
    expect(loadSettings({ PORT: '' }).port).toBe(3000);
  });

  it('derives the public URL from the listening address unless it is set', () => {
    expect(publicUrl(loadSettings({ HOST: '::' }), { port: 81 })).toBe('http://[::1]:81');
    expect(publicUrl(loadSettings({ HOST: '0.0.0.0' }), { port: 81 })).toBe('http://127.0.0.1:81');
    const set = loadSettings({ PUBLIC_URL: 'https://drive.example/' });
    expect(publicUrl(set, { port: 81 })).toBe('https://drive.example');
    expect(frontendUrl(set, { port: 81 })).toBe('https://drive.example');
    const both = loadSettings({ FRONTEND_URL: 'https://app.example' });
    expect(frontendUrl(both, { port: 81 })).toBe('https://app.example');
  });

  it('requires all settings of a server, and names the setting that needs them', () => {
    expect(problemsOf({ EVENT_STORE: 'kurrentdb' })).toEqual([
      'KURRENTDB_URL must be set, since EVENT_STORE is "kurrentdb".',
      'MASTER_KEY must be set, since EVENT_STORE is "kurrentdb".',
      'SIGNING_KEY must be set, since EVENT_STORE is "kurrentdb".',
      'MONGODB_URL must be set, since EVENT_STORE is "kurrentdb".',
    ]);
    expect(problemsOf({ READ_MODEL: 'mongodb' })).toEqual([
      'MONGODB_URL must be set, since READ_MODEL is "mongodb".',
    ]);
    expect(problemsOf({ CONTENT_STORE: 'gridfs' })).toEqual([
      'MONGODB_URL must be set, since CONTENT_STORE is "gridfs".',
    ]);
  });

  it('stores keys and caches in MongoDB if events are in KurrentDB, else with the events', () => {
    const servers = {
      ...{ KURRENTDB_URL: 'kurrentdb://host:2113', MONGODB_URL: 'mongodb://host' },
      ...{ MASTER_KEY: HEX_KEY, SIGNING_KEY: HEX_KEY },
    };
    const sideStore = (env: Record<string, string>): string => loadSettings(env).side_store;
    expect(sideStore({ EVENT_STORE: 'kurrentdb', ...servers })).toBe('mongodb');
    expect(sideStore({ EVENT_STORE: 'memory' })).toBe('memory');
    expect(sideStore({ SIDE_STORE: 'sqlite', READ_MODEL: 'mongodb', ...servers })).toBe('sqlite');
  });

  it('requires only the address of the server if keys are in the data folder', () => {
    const env = { EVENT_STORE: 'kurrentdb', SIDE_STORE: 'sqlite' };
    expect(problemsOf(env)).toEqual([
      'KURRENTDB_URL must be set, since EVENT_STORE is "kurrentdb".',
    ]);
    expect(problemsOf({ ...env, KURRENTDB_URL: 'kurrentdb://host:2113' })).toEqual([]);
  });

  it.each([
    [
      { EVENT_STORE: 'sqlite', SIDE_STORE: 'mongodb' },
      'SIDE_STORE is "mongodb" but must be sqlite or not set, since EVENT_STORE is "sqlite": keys are stored beside the events.',
    ],
    [
      { EVENT_STORE: 'memory', SIDE_STORE: 'sqlite' },
      'SIDE_STORE is "sqlite" but must be memory or not set, since EVENT_STORE is "memory": keys are stored beside the events.',
    ],
    [
      { EVENT_STORE: 'kurrentdb', SIDE_STORE: 'memory' },
      'SIDE_STORE is "memory" but must be mongodb or sqlite, since EVENT_STORE is "kurrentdb": its events outlive their keys otherwise.',
    ],
    [
      { EVENT_STORE: 'kurrentdb', SIDE_STORE: 'sqlite', READ_MODEL: 'mongodb' },
      'SIDE_STORE is "sqlite" but must be mongodb, since READ_MODEL is "mongodb": a data folder is for one process.',
    ],
    [
      { EVENT_STORE: 'kurrentdb', SIDE_STORE: 'redis' },
      'SIDE_STORE is "redis" but must be one of sqlite, mongodb, memory.',
    ],
    [
      {
        EVENT_STORE: 'kurrentdb',
        SIDE_STORE: 'sqlite',
        BATCH_MAX_BYTES: '524289',
        KURRENTDB_URL: 'kurrentdb://host:2113',
      },
      'BATCH_MAX_BYTES is 524289 but must be at most 524288, since EVENT_STORE is "kurrentdb", whose appends have at most 1 MiB in all.',
    ],
  ])('%j is refused', (env: Record<string, string>, says) => {
    expect(problemsOf(env)).toEqual([says]);
  });

  it('never shows a connection string, even an invalid one', () => {
    const KURRENTDB_URL = 'kurrentdb://admin:s3cret@host:2113';
    const MONGODB_URL = 'mongodb://me:s3cret@host';
    expect(JSON.stringify(loadSettings({ KURRENTDB_URL, MONGODB_URL }))).not.toContain('s3cret');
    expect(problemsOf({ KURRENTDB_URL: 'http://me:s3cret@host' })).toEqual([
      'KURRENTDB_URL must be a connection string kurrentdb:// or esdb://, or empty.',
    ]);
  });

  it('names variables that nearly have the name of a setting, and no others', () => {
    const env = { TRASH_DAY: '3', trash_days: '3', TRASH_DAYS: '3', HOSTS: 'a', NODE_OPTIONS: '' };
    const sentence = (name: string) =>
      `${name} is no setting and has no effect; the nearest is TRASH_DAYS`;
    expect(misspelledSettings(env)).toEqual(['TRASH_DAY', 'trash_days'].map(sentence));
  });
});
