import { setImmediate as nextTurn } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SignedUpload } from '../content/links.js';
import { dispositionOf, mediaTypeOf } from './media-type.js';

const UPLOAD_SECONDS = 24 * 3600;
const DOWNLOAD_SECONDS = 3600;
const HEAD_SECONDS = 60;

export interface Upload {
  readonly object_key: string;
  readonly max_bytes: number;
  readonly file_name: string;
  /** Hex; the bucket accepts no other content. */
  readonly sha256?: string;
}

/** The form of a disk without uploads. */
export const NO_UPLOAD: SignedUpload = { url: '', fields: {} };

/** The content of a disk's `auth_json`; validated when it was stored. */
interface BucketCredentials {
  readonly endpoint: string;
  readonly access_key: string;
  readonly secret_key: string;
  readonly bucket: string;
  readonly region: string;
}

interface Bucket {
  readonly client: S3Client;
  readonly name: string;
}

/** The SDK is loaded at the first signature, since most installations have no such disk. */
const sdk = {
  s3: () => import('@aws-sdk/client-s3'),
  post: () => import('@aws-sdk/s3-presigned-post'),
  presigner: () => import('@aws-sdk/s3-request-presigner'),
};

/** The turn of the event loop of the last signature that was begun. */
let turn: Promise<unknown> = Promise.resolve();

/** Resolves in a turn for one signature: the SDK takes some 2 ms for it, and lets nothing run meanwhile. */
function ownTurn(): Promise<unknown> {
  turn = turn.then(() => nextTurn());
  return turn;
}

/**
 * The bucket for credentials. They contain all settings, so the SDK reads no environment. Clients are not cached:
 * creating one takes a tenth of the time of a signature, and cached credentials would outlive their disk.
 */
async function bucketOf(auth_json: string): Promise<Bucket> {
  const { S3Client } = await sdk.s3();
  await ownTurn();
  const { endpoint, access_key, secret_key, bucket, region } = JSON.parse(
    auth_json,
  ) as BucketCredentials;
  const client = new S3Client({
    endpoint: endpoint.includes('://') ? endpoint : `https://${endpoint}`,
    region,
    credentials: { accessKeyId: access_key, secretAccessKey: secret_key },
    forcePathStyle: true,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { client, name: bucket };
}

/**
 * Signs a form that uploads one private object of limited size, valid for 24 hours. The object is later served with the
 * file's name and the media type for that name. Makes no network call.
 */
export async function signUpload(
  auth_json: string,
  { object_key, max_bytes, file_name, sha256 }: Upload,
): Promise<SignedUpload> {
  const { client, name } = await bucketOf(auth_json);
  const { createPresignedPost } = await sdk.post();
  return createPresignedPost(client, {
    Bucket: name,
    Key: object_key,
    Fields: {
      acl: 'private',
      'Content-Type': mediaTypeOf(file_name),
      'Content-Disposition': dispositionOf(file_name),
      ...(sha256 && checksumFields(sha256)),
    },
    Conditions: [['content-length-range', 0, max_bytes]],
    Expires: UPLOAD_SECONDS,
  });
}

/** Form fields with which a bucket checks and keeps the digest of an upload. */
function checksumFields(sha256: string): Record<string, string> {
  return {
    'x-amz-checksum-algorithm': 'SHA256',
    'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
  };
}

/** A signed request for the metadata of an object. */
export interface SignedHead {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs a request for an object's metadata with its checksum, valid for a minute. Makes no network call. */
export async function signHead(auth_json: string, object_key: string): Promise<SignedHead> {
  const { client, name } = await bucketOf(auth_json);
  const { HeadObjectCommand } = await sdk.s3();
  const { getSignedUrl } = await sdk.presigner();
  const command = new HeadObjectCommand({ Bucket: name, Key: object_key, ChecksumMode: 'ENABLED' });
  const mode = 'x-amz-checksum-mode';
  // Servers other than AWS only know the mode as a header.
  const unhoistableHeaders = new Set([mode]);
  const url = await getSignedUrl(client, command, { expiresIn: HEAD_SECONDS, unhoistableHeaders });
  return { url, headers: { [mode]: 'ENABLED' } };
}

/** Signs a URL that downloads one object, valid for an hour. Makes no network call. */
export async function signDownload(auth_json: string, object_key: string): Promise<string> {
  const { client, name } = await bucketOf(auth_json);
  const { GetObjectCommand } = await sdk.s3();
  const { getSignedUrl } = await sdk.presigner();
  const command = new GetObjectCommand({ Bucket: name, Key: object_key });
  return getSignedUrl(client, command, { expiresIn: DOWNLOAD_SECONDS });
}
