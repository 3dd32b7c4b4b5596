import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import {
  ADDRESSES,
  BASE_URL,
  flag,
  KEYS,
  listOf,
  matching,
  oneOf,
  Setting,
  SETTING_DEFINITIONS,
  whole,
} from '../../../../libs/settings/kinds.js';
import { readSettings } from '../../../../libs/settings/read.js';
import { problemsBeside } from '../../../../libs/stores/settings.js';
import { nearestOf } from '../nearest.js';
import { BoundSettings, DAY_MS, GIB } from './bound-settings.js';
import ipaddr from 'ipaddr.js';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const DIRECTORY_TYPES = ['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE'] as const;

/** Half of what the server takes in one append: no event grows by more than its own size. */
const KURRENTDB_BATCH_BYTES = 512 * 1024;

const COUNT = whole(1, 1_000_000_000);

/**
 * All configuration of the service. Every value comes from one environment variable, is checked at
 * start and does not change afterwards. Names end in their unit.
 */
export class Settings extends BoundSettings {
  @Setting('3000', whole(0, 65_535), 'TCP port to listen on; 0 chooses a free one')
  readonly port!: number;

  @Setting(
    '127.0.0.1',
    matching(255, 'a host name or an IP address', /^[A-Za-z0-9.:_-]+$/),
    'Address to listen on; 0.0.0.0 or :: for all',
  )
  readonly host!: string;

  @Setting(
    '',
    BASE_URL,
    'Base URL of the service for clients; empty: http:// with the listening address',
  )
  readonly public_url!: string;

  @Setting(
    '',
    BASE_URL,
    'Base URL of links for people; empty: PUBLIC_URL, where sign-in links open the console',
  )
  readonly frontend_url!: string;

  @Setting(
    {
      rule: 'true unless loopback HOST',
      from: ({ host }) => String(!isLoopback(host)),
    },
    flag('true', 'false'),
    'Whether debugging dumps and webhooks to private addresses are refused; the default depends on HOST',
  )
  readonly production!: boolean;

  @Setting(
    'true',
    flag('true', 'false'),
    'Whether any caller may create organizations and gift cards; false: a factory key is required',
  )
  readonly factory_free_mode!: boolean;

  /** Digests (SHA-256, hex). */
  @Setting('', KEYS, 'Comma-separated factory keys (secret, 32 characters or more each)')
  readonly factory_keys!: readonly string[];

  /** Digests (SHA-256, hex). */
  @Setting(
    '',
    KEYS,
    'Comma-separated keys that administer gift cards (secret, 32 characters or more each)',
  )
  readonly factory_admin_keys!: readonly string[];

  @Setting('on', flag('on', 'off'), 'Whether requests are limited')
  readonly rate_limits!: boolean;

  @Setting('600', COUNT, 'Requests per window, client address and drive')
  readonly rate_limit_client!: number;

  @Setting('6000', COUNT, 'Requests per window and drive')
  readonly rate_limit_drive!: number;

  @Setting('6000', COUNT, 'Factory requests per window in total')
  readonly rate_limit_factory!: number;

  @Setting('600', COUNT, 'Factory requests per window and client address')
  readonly rate_limit_factory_client!: number;

  @Setting('60000', whole(1_000, 3_600_000), 'Length of a rate limit window (milliseconds)')
  readonly rate_limit_window_ms!: number;

  @Setting(
    '',
    ADDRESSES,
    'Comma-separated proxies whose X-Forwarded headers are trusted; empty: none',
  )
  readonly trusted_proxies!: readonly string[];

  @Setting('1048576', whole(1_024, 67_108_864), 'Largest request body; beyond it 413 (bytes)')
  readonly body_limit_bytes!: number;

  @Setting(
    '30000',
    whole(1_000, 600_000),
    'Maximum time for a client to send one request, and to receive a response without progress (milliseconds)',
  )
  readonly request_timeout_ms!: number;

  @Setting(
    '268435456',
    whole(1_024, 1024 * GIB),
    'Maximum unread bytes of all responses together, live feeds and downloads aside; beyond it the connections with most unread bytes are closed',
  )
  readonly responses_unread_bytes!: number;

  @Setting(
    '16',
    whole(1, 10_000),
    'Maximum requests of one connection that wait for the response to an earlier one; beyond it the connection is closed',
  )
  readonly connection_requests_waiting!: number;

  @Setting(
    '86400000',
    whole(0, 365 * DAY_MS),
    'Wait between the two steps of an ownership transfer (milliseconds)',
  )
  readonly transfer_wait_ms!: number;

  @Setting(
    'VIEW,UPLOAD,EDIT',
    listOf(DIRECTORY_TYPES),
    'Directory permissions of the default group on the root of a new disk; may be empty',
  )
  readonly everyone_disk_permissions!: readonly (typeof DIRECTORY_TYPES)[number][];

  @Setting(
    'Files',
    { ...matching(256, 'at most 256 characters', /^\P{Cc}*$/u), may_be_empty: true },
    'Name of the LOCAL_SSD disk that each new organization gets unless it brings a disk; empty: none',
  )
  readonly default_disk!: string;

  @Setting(
    'false',
    flag('true', 'false'),
    'Whether signature tokens must name the drive and the host',
  )
  readonly require_token_audience!: boolean;

  @Setting(
    'info',
    oneOf(...LOG_LEVELS),
    'Minimum level of logged messages: trace to fatal, or silent',
  )
  readonly log_level!: LogLevel;

  @Setting('15000', whole(10, 600_000), 'Time between two heartbeats of a live feed (milliseconds)')
  readonly feed_heartbeat_ms!: number;

  @Setting(
    '5000',
    whole(0, 60_000),
    'Maximum wait for the revision of Min-Drive-Revision (milliseconds)',
  )
  readonly min_revision_wait_ms!: number;

  @Setting(
    '5000',
    whole(0, 60_000),
    'Maximum wait of lists and commands for lagging documents in MongoDB (milliseconds)',
  )
  readonly read_model_wait_ms!: number;

  @Setting(
    '10000',
    whole(1, 100_000_000),
    'Maximum lag of the documents in events; beyond it commands of the organization wait',
  )
  readonly read_model_lag_events!: number;

  @Setting(
    '2000',
    whole(0, 60_000),
    'Maximum wait of a query for a batch in flight, unless it is small (milliseconds)',
  )
  readonly read_wait_ms!: number;

  @Setting(
    '5000',
    whole(0, 600_000),
    'Maximum wait at shutdown for stores and background work, after the requests (milliseconds)',
  )
  readonly close_timeout_ms!: number;

  @Setting(
    '10000',
    whole(0, 600_000),
    'Maximum wait at shutdown for requests in flight (milliseconds)',
  )
  readonly shutdown_timeout_ms!: number;

  /** Masks secrets, because settings may be logged. */
  toJSON(): Record<string, unknown> {
    const values = this as unknown as Record<string, unknown>;
    return Object.fromEntries(
      SETTING_DEFINITIONS.map(({ property, secret }) => [
        property,
        secret && !isEmpty(values[property]) ? '***' : values[property],
      ]),
    );
  }

  [inspect.custom](): unknown {
    return this.toJSON();
  }
}

/** True for the value of an unset secret. */
function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The rows of the tables in docs/settings.md, ungrouped. */
export const SETTINGS_TABLE: readonly { name: string; default: string; meaning: string }[] =
  SETTING_DEFINITIONS.map(({ name, default: value, meaning }) => ({
    name,
    default: typeof value === 'string' ? value : value.rule,
    meaning,
  }));

/** Names of the variables that hold secrets. */
export const SECRET_SETTINGS: readonly string[] = SETTING_DEFINITIONS.filter(
  ({ secret }) => secret,
).map(({ name }) => name);

/** Shorter names are like too many that others use. */
const SHORTEST_COMPARED = 8;
/** Letters in which a misspelled name may differ. */
const MOST_AWAY = 2;

/** A sentence for every variable that has no effect, but nearly the name of a setting. */
export function misspelledSettings(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const names = SETTING_DEFINITIONS.map(({ name }) => name);
  return Object.keys(env)
    .filter((name) => name.length >= SHORTEST_COMPARED && !names.includes(name))
    .map((name) => ({ name, nearest: nearestOf(names, name) }))
    .filter(({ nearest }) => nearest.away <= MOST_AWAY)
    .map(
      ({ name, nearest }) =>
        `${name} is no setting and has no effect; the nearest is ${nearest.name}`,
    );
}

/**
 * Reads and checks the whole configuration.
 *
 * @throws SettingsError with the name of every invalid variable, its value (unless it is a secret) and the
 *   allowed values
 */
export function loadSettings(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  return readSettings(Settings, env, (settings) => [
    ...problemsBeside(settings, 'service'),
    ...oversizeAppends(settings),
  ]);
}

/** Events become larger on the server: it stores their hashes and types beside what BATCH_MAX_BYTES counts. */
function oversizeAppends({ event_store, batch_max_bytes }: Settings): string[] {
  if (event_store !== 'kurrentdb' || batch_max_bytes <= KURRENTDB_BATCH_BYTES) return [];
  return [
    `BATCH_MAX_BYTES is ${batch_max_bytes} but must be at most ${KURRENTDB_BATCH_BYTES}, since EVENT_STORE is "kurrentdb", whose appends have at most 1 MiB in all.`,
  ];
}

/**
 * The base URL of the service for clients, without trailing slash: PUBLIC_URL, else the listening address
 * (for a wildcard address, the loopback address).
 */
export function publicUrl(settings: Settings, address: Pick<AddressInfo, 'port'>): string {
  if (settings.public_url !== '') return settings.public_url;
  const loopback: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const host = loopback[settings.host] ?? settings.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

/** The base URL of links for people: FRONTEND_URL, else the public URL. */
export function frontendUrl(settings: Settings, address: Pick<AddressInfo, 'port'>): string {
  return settings.frontend_url === '' ? publicUrl(settings, address) : settings.frontend_url;
}

/** True for a host that only this machine can reach: `localhost` or a loopback address. */
function isLoopback(host: unknown): boolean {
  if (typeof host !== 'string') return false;
  if (/^localhost$/i.test(host)) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
