import { type DirectoryMethods, directoryMethods, type DirectoryReads } from './directory.js';
import { type FeedEvent, feedOf, type FeedOptions } from './feed.js';
import { DRIVE_OPERATIONS, FACTORY_OPERATIONS } from './generated/api.js';
import { asOfText, type Point } from './points.js';
import { pathOf } from './requests.js';
import { methodsOf } from './surface.js';
import { Transport, type TransportOptions } from './transport.js';
import type { Methods } from './types.js';
import { verifyOf } from './verification.js';

type DriveMethods = Methods<typeof DRIVE_OPERATIONS>;
type PastMethods = Methods<typeof DRIVE_OPERATIONS, 'read'>;

export interface ConnectOptions extends TransportOptions {
  /** The organization. */
  readonly drive_id: string;
}

export interface AsOfOptions {
  /** Answers as this user would have been answered then, refusals included. Default: as the owner. */
  readonly as_user?: string;
}

/** One organization as of a point of the past: operations that read. */
export type PastDrive = Omit<PastMethods, 'directory'> & {
  readonly directory: PastMethods['directory'] & DirectoryReads;
};

/** One organization. Operations are named as their paths, fields as on the wire. */
export type Drive = Omit<DriveMethods, 'directory' | 'organization'> & {
  readonly drive_id: string;
  readonly organization: Omit<DriveMethods['organization'], 'verify'> & {
    /** Verifies the whole history, with progress if asked for. @throws DriveError; ConnectionError */
    readonly verify: ReturnType<typeof verifyOf>;
  };
  readonly directory: DriveMethods['directory'] & DirectoryMethods;
  /** Highest revision that an answer reflected; null before the first. Reads reflect at least this one. */
  readonly revision: number | null;
  /** Reads from now on reflect at least this revision, such as one that another client reached. */
  waitFor(revision: number): void;
  /** Reads no longer wait for what was seen: after a restored backup the organization has fewer events, and they fail. */
  forgetRevision(): void;
  /** The live feed. @throws DriveError; ConnectionError; the reason of the signal */
  events(options?: FeedOptions): AsyncGenerator<FeedEvent, void>;
  /** The same organization at a point of the past. Requires VIEW on AUDIT. */
  asOf(point: Point, options?: AsOfOptions): PastDrive;
};

/** Onboarding, gift cards and health of an installation. */
export type Factory = Methods<typeof FACTORY_OPERATIONS>;

/** A client of one organization; nothing is sent before the first operation. */
export function connect({ drive_id, ...options }: ConnectOptions): Drive {
  const transport = new Transport(options);
  const scope = { organization_id: drive_id };
  const methods = methodsOf(transport, DRIVE_OPERATIONS, scope);
  const feed = pathOf('/v1/drive/{organization_id}/organization/events', {
    path: scope,
    query: {},
  });
  return {
    ...methods,
    drive_id,
    organization: {
      ...methods.organization,
      verify: verifyOf(transport, drive_id, methods.organization.verify),
    },
    directory: { ...methods.directory, ...directoryMethods(transport, scope) },
    get revision() {
      return transport.revision;
    },
    waitFor: (revision) => transport.reached(revision),
    forgetRevision: () => transport.forgetRevision(),
    events: (feed_options = {}) => feedOf(transport, feed, feed_options),
    asOf: (point, past_options = {}) => pastDrive(transport, drive_id, point, past_options),
  };
}

/** A client of an installation outside organizations. */
export function connectFactory(options: TransportOptions): Factory {
  return methodsOf(new Transport(options), FACTORY_OPERATIONS, {});
}

function pastDrive(
  transport: Transport,
  organization_id: string,
  point: Point,
  { as_user }: AsOfOptions,
): PastDrive {
  const query = { as_of: asOfText(point), ...(as_user !== undefined && { as_user }) };
  const scope = { organization_id, query, only: 'read' } as const;
  const methods = methodsOf(transport, DRIVE_OPERATIONS, scope);
  const { get_file, get_folder, download } = directoryMethods(transport, scope);
  return {
    ...methods,
    directory: { ...methods.directory, get_file, get_folder, download },
  } as PastDrive;
}
