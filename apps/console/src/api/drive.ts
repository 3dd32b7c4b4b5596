import { connect, type Drive, type PastDrive } from '../../../../libs/client/src/index.js';

export type { Drive } from '../../../../libs/client/src/index.js';

/** A point of the past and the person who looks, as the API takes them; null: now, the caller. */
export interface Past {
  readonly at: string | null;
  /** The API takes it with a point only: now, `useReads` adds the server's time. */
  readonly as_user: string | null;
}

/** What can be asked of an organization at any point. */
export type Reads = PastDrive;

/** An organization on the server that this page is from. */
export function openDrive(drive_id: string, api_key: string): Drive {
  return connect({ url: '', drive_id, api_key });
}

/** The organization at a point, as somebody saw it. */
export function readsAt(drive: Drive, { at, as_user }: Past): Reads {
  if (at === null) {
    if (as_user !== null) throw new Error('the point is not known at which somebody looks');
    return drive;
  }
  return drive.asOf(at, { ...(as_user !== null && { as_user }) });
}
