import type { FoundObject } from '../../domain/directory/commands.js';
import { refuseObject } from '../../domain/directory/content/completion.js';
import type { Refusal } from '../../domain/kernel/refusal.js';
import { Semaphore } from '../../engine/tasks/semaphore.js';
import { type SignedHead, signHead } from './signing.js';

/** What a bucket answered; or why it did not, and whether that will stay so. */
export type HeadAnswer =
  | { readonly status: number; readonly headers: Readonly<Record<string, string | undefined>> }
  | { readonly status: null; readonly reason: string; readonly is_lasting: boolean };

/** Sends requests for the metadata of objects. It follows no redirect. */
export interface HeadSender {
  send(request: SignedHead, signal: AbortSignal): Promise<HeadAnswer>;
}

interface ObjectCheckOptions {
  readonly sender: HeadSender;
  /** For all checks of one request, ms. */
  readonly timeout_ms: number;
  readonly parallel_max: number;
}

/** An object to ask its bucket for. */
export interface CheckedObject {
  readonly drive_id: string;
  readonly auth_json: string;
  readonly object_key: string;
}

/** Asks buckets whether they hold an object, and what they know about it. */
export class ObjectChecks {
  /** A quarter of them at most is used by one drive. */
  private readonly slots: Semaphore;

  constructor(private readonly options: ObjectCheckOptions) {
    const { parallel_max: most } = options;
    this.slots = new Semaphore(most, Math.ceil(most / 4));
  }

  /** The time limit of the checks of one request. */
  deadline(): AbortSignal {
    return AbortSignal.timeout(this.options.timeout_ms);
  }

  async check(object: CheckedObject, deadline: AbortSignal): Promise<FoundObject | Refusal> {
    const ask = (): Promise<FoundObject | Refusal> => this.ask(object, deadline);
    try {
      return await this.slots.run(ask, object.drive_id, deadline);
    } catch (error) {
      if (!deadline.aborted) throw error;
      return refuseObject('bucket-unavailable', 'too many checks of uploads wait; retry');
    }
  }

  private async ask(
    { auth_json, object_key }: CheckedObject,
    deadline: AbortSignal,
  ): Promise<FoundObject | Refusal> {
    let request: SignedHead;
    try {
      request = await signHead(auth_json, object_key);
    } catch {
      // The error may quote the credentials.
      return refuseObject('bucket-refused', 'the credentials of the disk cannot sign a request');
    }
    return readAnswer(object_key, await this.options.sender.send(request, deadline));
  }
}

function readAnswer(object_key: string, answer: HeadAnswer): FoundObject | Refusal {
  const { status } = answer;
  if (status === null)
    return refuseObject(answer.is_lasting ? 'bucket-refused' : 'bucket-unavailable', answer.reason);
  if (status === 200) return foundIn(object_key, answer.headers);
  if (status === 404)
    return refuseObject('object-missing', 'the bucket holds no object for this version');
  // Without permission to list the bucket, S3 answers 403 for a missing object too.
  if (status === 403)
    return refuseObject(
      'object-missing',
      'the bucket answered 403: the object is missing, or the credentials of the disk may not read it',
    );
  if (status >= 300 && status < 400)
    return refuseObject(
      'bucket-refused',
      `the bucket answered ${status}: the endpoint or region of the disk is wrong`,
    );
  const is_passing = status >= 500 || status === 429;
  return refuseObject(
    is_passing ? 'bucket-unavailable' : 'bucket-refused',
    `the bucket answered ${status}`,
  );
}

function foundIn(
  object_key: string,
  headers: Readonly<Record<string, string | undefined>>,
): FoundObject | Refusal {
  const length = headers['content-length'] ?? '';
  const size = Number(length);
  if (!/^\d+$/.test(length) || !Number.isSafeInteger(size))
    return refuseObject('bucket-refused', 'the bucket did not answer the size of the object');
  const media_type = headers['content-type'] ?? '';
  return {
    ...{ object_key, size },
    sha256: sha256In(headers),
    media_type: /^[ -~]{1,255}$/.test(media_type) ? media_type : null,
  };
}

/** The digest of the whole object, hex. That of an upload in parts only covers the digests of the parts. */
function sha256In(headers: Readonly<Record<string, string | undefined>>): string | null {
  const { 'x-amz-checksum-sha256': digest = '', 'x-amz-checksum-type': type } = headers;
  const is_whole = type === undefined || type === 'FULL_OBJECT';
  if (!is_whole || !/^[A-Za-z0-9+/]{43}=$/.test(digest)) return null;
  return Buffer.from(digest, 'base64').toString('hex');
}
