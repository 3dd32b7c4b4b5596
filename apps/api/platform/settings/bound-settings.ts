import { Setting, whole } from '../../../../libs/settings/kinds.js';
import { WorkerSettings } from './worker-settings.js';

const GIB = 2 ** 30;
export const DAY_MS = 86_400_000;

/** What drives, caches, webhooks and peers may take. */
export class BoundSettings extends WorkerSettings {
  @Setting('BATCH_MAX_COMMANDS', '256', whole(1, 10_000), 'Most commands of a drive in one append')
  readonly batch_max_commands!: number;

  @Setting(
    'BATCH_MAX_BYTES',
    '524288',
    whole(1_024, 1_048_576),
    'Most bytes of events in one append',
  )
  readonly batch_max_bytes!: number;

  @Setting(
    'TRANSACTION_ANSWER_BYTES',
    '8388608',
    whole(1_024, 67_108_864),
    'Most bytes of the results of one transaction; beyond it 413 and nothing is stored',
  )
  readonly transaction_answer_bytes!: number;

  @Setting(
    'QUEUE_MAX_COMMANDS',
    '10000',
    whole(1, 1_000_000),
    'Most commands waiting for one drive; beyond it 503',
  )
  readonly queue_max_commands!: number;

  @Setting(
    'DIRECTORY_ITEMS_PER_ACTION',
    '50000',
    whole(1, 1_000_000),
    'Most files and folders that one command copies, trashes, restores or removes; beyond it 413',
  )
  readonly directory_items_per_action!: number;

  @Setting(
    'TRASH_DAYS',
    '30',
    whole(1, 36_500),
    'Days after which what lies in the trash is removed for good',
  )
  readonly trash_days!: number;

  @Setting(
    'ORGANIZATION_RECORDS_MAX',
    '2000000',
    whole(1_000, 100_000_000),
    'Most records of an organization; a command that would leave more is refused with 413',
  )
  readonly organization_records_max!: number;

  @Setting(
    'STATE_CACHE_BYTES',
    '1073741824',
    whole(2 ** 20, 1024 * GIB),
    'Memory for the states of active drives (bytes)',
  )
  readonly state_cache_bytes!: number;

  @Setting(
    'PAST_CACHE_BYTES',
    '268435456',
    whole(2 ** 20, 1024 * GIB),
    'Memory for states of the past, kept for the next question about them (bytes)',
  )
  readonly past_cache_bytes!: number;

  @Setting(
    'SNAPSHOT_EVERY_EVENTS',
    '25000',
    whole(100, 10_000_000),
    'Most events between two snapshots of a drive',
  )
  readonly snapshot_every_events!: number;

  @Setting(
    'SNAPSHOT_AFTER_EVENTS',
    '5000',
    whole(100, 10_000_000),
    'Events after which a snapshot is due unless the drive has more records than that',
  )
  readonly snapshot_after_events!: number;

  @Setting(
    'SNAPSHOT_DISK_BYTES',
    '10737418240',
    whole(0, 1024 * GIB),
    'Disk space for snapshots; older ones are thinned out (bytes)',
  )
  readonly snapshot_disk_bytes!: number;

  @Setting('COLD_LOADS_MAX', '4', whole(1, 256), 'Drives loaded from the store at one time')
  readonly cold_loads_max!: number;

  @Setting(
    'LONG_QUESTIONS_PER_CALLER',
    '8',
    whole(1, 10_000),
    'Questions about the past that are answered for a caller at one time; beyond it 429',
  )
  readonly long_questions_per_caller!: number;

  @Setting(
    'LONG_QUESTIONS_PER_DRIVE',
    '32',
    whole(1, 10_000),
    'The same for all callers of an organization together',
  )
  readonly long_questions_per_drive!: number;

  @Setting(
    'FOLDED_EVENTS_PER_CALLER',
    '5000000',
    whole(1, 1_000_000_000_000),
    'Events read for the questions of a caller in a window of the rate limits; beyond it 429',
  )
  readonly folded_events_per_caller!: number;

  @Setting(
    'FOLDED_EVENTS_PER_DRIVE',
    '20000000',
    whole(1, 1_000_000_000_000),
    'The same for all callers of an organization together',
  )
  readonly folded_events_per_drive!: number;

  @Setting(
    'FEEDS_PER_CALLER',
    '16',
    whole(1, 100_000),
    'Live feeds of a caller at one time; beyond it 429',
  )
  readonly feeds_per_caller!: number;

  @Setting(
    'FEEDS_PER_DRIVE',
    '1000',
    whole(1, 1_000_000),
    'Live feeds of an organization at one time; beyond it 429',
  )
  readonly feeds_per_drive!: number;

  @Setting(
    'FEED_UNREAD_BYTES',
    '1048576',
    whole(1_024, 67_108_864),
    'What a live feed may leave unread before it is cut off (bytes)',
  )
  readonly feed_unread_bytes!: number;

  @Setting(
    'FEEDS_UNREAD_BYTES',
    '67108864',
    whole(1_024, 1024 * GIB),
    'The same for all live feeds together: those that leave most unread are cut off (bytes)',
  )
  readonly feeds_unread_bytes!: number;

  @Setting(
    'WEBHOOK_TIMEOUT_MS',
    '10000',
    whole(100, 60_000),
    'Longest wait for the answer of a webhook (milliseconds)',
  )
  readonly webhook_timeout_ms!: number;

  @Setting(
    'WEBHOOK_QUEUE_MAX',
    '10000',
    whole(1, 1_000_000),
    'Most deliveries waiting for one webhook; more are quarantined',
  )
  readonly webhook_queue_max!: number;

  @Setting('WEBHOOK_PARALLEL_MAX', '32', whole(1, 1_000), 'Most webhooks sent to at one time')
  readonly webhook_parallel_max!: number;

  @Setting(
    'SIGNALLING_PEERS_MAX',
    '10000',
    whole(1, 1_000_000),
    'Most peers that find each other here',
  )
  readonly signalling_peers_max!: number;

  @Setting(
    'SIGNALLING_ROOMS_MAX',
    '1000',
    whole(1, 1_000_000),
    'Most files of a drive that have peers at one time',
  )
  readonly signalling_rooms_max!: number;

  @Setting('SIGNALLING_ROOM_PEERS_MAX', '50', whole(1, 10_000), 'Most peers of one file')
  readonly signalling_room_peers_max!: number;

  @Setting('SIGNALLING_TOPICS_MAX', '100', whole(1, 10_000), 'Most topics that one peer listens to')
  readonly signalling_topics_max!: number;

  @Setting(
    'SIGNALLING_MESSAGE_BYTES',
    '65536',
    whole(256, 1_048_576),
    'Largest message of a peer (bytes)',
  )
  readonly signalling_message_bytes!: number;

  @Setting(
    'SIGNALLING_MESSAGES_PER_SECOND',
    '50',
    whole(1, 10_000),
    'Messages a second that a peer may send',
  )
  readonly signalling_messages_per_second!: number;

  @Setting(
    'SIGNALLING_UNREAD_BYTES',
    '1048576',
    whole(1_024, 67_108_864),
    'What a peer may leave unread before it is cut off (bytes)',
  )
  readonly signalling_unread_bytes!: number;

  @Setting(
    'SIGNALLING_HEARTBEAT_MS',
    '30000',
    whole(10, 600_000),
    'Time between two pings of a peer, each with a look at its right (milliseconds)',
  )
  readonly signalling_heartbeat_ms!: number;

  @Setting(
    'SIGNALLING_IDLE_MS',
    '300000',
    whole(10, 86_400_000),
    'Longest silence of a peer (milliseconds)',
  )
  readonly signalling_idle_ms!: number;
}
