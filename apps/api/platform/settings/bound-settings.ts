import { flag, Setting, whole } from '../../../../libs/settings/kinds.js';
import { StoreSettings } from '../../../../libs/stores/settings.js';

export const GIB = 2 ** 30;
export const DAY_MS = 86_400_000;

/** How workers divide the drives among themselves, and limits of drives, caches, webhooks, queries, feeds and signalling. */
export class BoundSettings extends StoreSettings {
  @Setting(
    '64',
    whole(1, 1_024),
    'Number of partitions that workers share; the same for all workers',
  )
  readonly worker_partitions!: number;

  @Setting(
    '15000',
    whole(1_000, 600_000),
    'Time after which other workers take over the partitions of a silent worker (milliseconds)',
  )
  readonly worker_lease_ms!: number;

  @Setting('256', whole(1, 10_000), 'Maximum commands of a drive in one append')
  readonly batch_max_commands!: number;

  @Setting(
    '524288',
    // Below it no organization can be created.
    whole(16_384, 1_048_576),
    'Maximum bytes of events in one append; with EVENT_STORE=kurrentdb at most 524288',
  )
  readonly batch_max_bytes!: number;

  @Setting(
    '8388608',
    whole(1_024, 67_108_864),
    'Maximum bytes of the results of one transaction or directory/action; beyond it 413',
  )
  readonly transaction_answer_bytes!: number;

  @Setting('10000', whole(1, 1_000_000), 'Maximum queued commands of a drive; beyond it 503')
  readonly queue_max_commands!: number;

  @Setting(
    '50000',
    whole(1, 1_000_000),
    'Maximum files and folders that one command copies, trashes, restores or removes; beyond it 413',
  )
  readonly directory_items_per_action!: number;

  @Setting('30', whole(1, 36_500), 'Days after which items in the trash are removed permanently')
  readonly trash_days!: number;

  @Setting(
    '5368709120',
    whole(1, 1024 * GIB),
    'Maximum size of the content of one file; beyond it 413 (bytes)',
  )
  readonly content_max_bytes!: number;

  @Setting(
    '0',
    whole(0, 1024 * 1024 * GIB),
    'Maximum content of an organization; beyond it 413; 0: unlimited (bytes)',
  )
  readonly content_quota_bytes!: number;

  @Setting(
    '64',
    whole(1, 10_000),
    'Maximum uploads that this process receives in parallel, half of them of one organization; beyond it 503',
  )
  readonly content_uploads_max!: number;

  @Setting(
    '256',
    whole(1, 100_000),
    'Maximum downloads that this process sends in parallel, half of them of one organization; beyond it 503',
  )
  readonly content_downloads_max!: number;

  @Setting(
    '100',
    whole(1, 10_000),
    'Maximum unfinished resumable uploads of a user in an organization; beyond it 429',
  )
  readonly content_unfinished_uploads_max!: number;

  @Setting(
    '1024',
    whole(0, 1_073_741_824),
    'Minimum speed of an upload over CONTENT_SLOW_MS; slower ones are ended. Uploads and downloads whose places others need: 16 times as much. 0: any speed (bytes per second)',
  )
  readonly content_min_bytes_per_s!: number;

  @Setting(
    '30000',
    whole(100, 3_600_000),
    'Time of waiting for a client over which its speed is measured (milliseconds)',
  )
  readonly content_slow_ms!: number;

  @Setting(
    'true',
    flag('true', 'false'),
    'Ask the bucket for the object before an uploaded file counts as COMPLETED',
  )
  readonly verify_bucket_uploads!: boolean;

  @Setting(
    '5000',
    whole(100, 60_000),
    'Maximum wait for the answers of buckets to one request; beyond it 503 (milliseconds)',
  )
  readonly bucket_timeout_ms!: number;

  @Setting(
    '16',
    whole(1, 1_000),
    'Maximum parallel requests to buckets; one organization uses at most a quarter of them',
  )
  readonly bucket_checks_max!: number;

  @Setting(
    '2000000',
    whole(1_000, 100_000_000),
    'Maximum records of an organization and labels on them, at most one for each 800 bytes of STATE_CACHE_BYTES; a command that would exceed it is refused with 413',
  )
  readonly organization_records_max!: number;

  @Setting(
    '1073741824',
    whole(2 ** 20, 1024 * GIB),
    'Memory for the current states of active drives (bytes)',
  )
  readonly state_cache_bytes!: number;

  @Setting('268435456', whole(2 ** 20, 1024 * GIB), 'Memory for cached past states (bytes)')
  readonly past_cache_bytes!: number;

  @Setting('134217728', whole(2 ** 20, 1024 * GIB), 'Memory for cached answers of reads (bytes)')
  readonly shown_cache_bytes!: number;

  @Setting('100000', whole(100, 10_000_000), 'Maximum events between two snapshots of a drive')
  readonly snapshot_every_events!: number;

  @Setting(
    '5000',
    whole(100, 10_000_000),
    'Events after which a snapshot is due, unless the drive has more records than that',
  )
  readonly snapshot_after_events!: number;

  @Setting(
    '10737418240',
    whole(0, 1024 * GIB),
    'Disk space for the snapshots of one organization; beyond it older ones are deleted (bytes)',
  )
  readonly snapshot_disk_bytes!: number;

  @Setting(
    '4',
    whole(1, 256),
    'Maximum drives loaded from the store in parallel, three quarters of them large ones',
  )
  readonly cold_loads_max!: number;

  @Setting(
    '8',
    whole(1, 10_000),
    'Maximum concurrent queries of past states per caller; beyond it 429',
  )
  readonly long_questions_per_caller!: number;

  @Setting(
    '32',
    whole(1, 10_000),
    'Maximum concurrent queries of past states per organization; beyond it 429',
  )
  readonly long_questions_per_drive!: number;

  @Setting(
    '5000000',
    whole(1, 1_000_000_000_000),
    'Maximum events read for the queries of a caller in one rate limit window; beyond it 429',
  )
  readonly folded_events_per_caller!: number;

  @Setting(
    '20000000',
    whole(1, 1_000_000_000_000),
    'Maximum events read for the queries of an organization in one rate limit window; beyond it 429',
  )
  readonly folded_events_per_drive!: number;

  @Setting('16', whole(1, 100_000), 'Maximum concurrent live feeds per caller; beyond it 429')
  readonly feeds_per_caller!: number;

  @Setting(
    '1000',
    whole(1, 1_000_000),
    'Maximum concurrent live feeds per organization; beyond it 429',
  )
  readonly feeds_per_drive!: number;

  @Setting(
    '10000',
    whole(1, 1_000_000),
    'Maximum concurrent live feeds of a process; beyond it 429',
  )
  readonly feeds_max!: number;

  @Setting(
    '1048576',
    whole(1_024, 67_108_864),
    'Maximum unread bytes of a live feed; beyond it the feed is closed',
  )
  readonly feed_unread_bytes!: number;

  @Setting(
    '67108864',
    whole(1_024, 1024 * GIB),
    'Maximum unread bytes of all live feeds together; beyond it the feeds with most unread bytes are closed',
  )
  readonly feeds_unread_bytes!: number;

  @Setting('10000', whole(100, 60_000), 'Maximum wait for the response of a webhook (milliseconds)')
  readonly webhook_timeout_ms!: number;

  @Setting(
    '10000',
    whole(1, 1_000_000),
    'Maximum pending deliveries of a webhook; more are quarantined',
  )
  readonly webhook_queue_max!: number;

  @Setting('32', whole(1, 1_000), 'Maximum webhooks sent to in parallel')
  readonly webhook_parallel_max!: number;

  @Setting('10000', whole(1, 1_000_000), 'Maximum signalling peers of this process')
  readonly signalling_peers_max!: number;

  @Setting('1000', whole(1, 1_000_000), 'Maximum files of a drive with signalling peers')
  readonly signalling_rooms_max!: number;

  @Setting('50', whole(1, 10_000), 'Maximum signalling peers of one file')
  readonly signalling_room_peers_max!: number;

  @Setting('100', whole(1, 10_000), 'Maximum topics that one peer subscribes to')
  readonly signalling_topics_max!: number;

  @Setting('65536', whole(256, 1_048_576), 'Largest message of a peer (bytes)')
  readonly signalling_message_bytes!: number;

  @Setting(
    '50',
    whole(1, 10_000),
    'Maximum messages of a peer per second; one counts as several if it is longer than 4096 characters',
  )
  readonly signalling_messages_per_second!: number;

  @Setting(
    '10000',
    whole(1, 1_000_000),
    'Maximum messages that the peers of a drive receive from each other per second, long ones as several; further ones are not relayed',
  )
  readonly signalling_relayed_per_second!: number;

  @Setting(
    '1048576',
    whole(1_024, 67_108_864),
    'Maximum unread bytes of a peer; beyond it the peer is disconnected',
  )
  readonly signalling_unread_bytes!: number;

  @Setting(
    '67108864',
    whole(1_024, 1024 * GIB),
    'Maximum unread bytes of all peers together; beyond it the peers with most unread bytes are disconnected',
  )
  readonly signalling_all_unread_bytes!: number;

  @Setting(
    '30000',
    whole(10, 600_000),
    'Time between two pings of a peer; each also checks its permission (milliseconds)',
  )
  readonly signalling_heartbeat_ms!: number;

  @Setting('300000', whole(10, 86_400_000), 'Maximum silence of a peer (milliseconds)')
  readonly signalling_idle_ms!: number;
}
