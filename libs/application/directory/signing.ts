import type { S3Client } from '@aws-sdk/client-s3';
import { dispositionOf, mediaTypeOf } from './media-type.js';

const UPLOAD_SECONDS = 24 * 3600;
const DOWNLOAD_SECONDS = 3600;

/** A form that a client sends with a file's content. */
export interface SignedUpload {
  url: string;
  fields: Record<string, string>;
}

/** What is to be uploaded. */
export interface Upload {
  readonly object_key: string;
  readonly max_bytes: number;
  readonly file_name: string;
}

/** Nothing to upload to. */
export const NO_UPLOAD: SignedUpload = { url: '', fields: {} };

/** What a disk's `auth_json` holds; checked when it was written. */
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

/** The SDK is loaded when something is signed first: most installations have no such disk. */
const sdk = {
  s3: () => import('@aws-sdk/client-s3'),
  post: () => import('@aws-sdk/s3-presigned-post'),
  presigner: () => import('@aws-sdk/s3-request-presigner'),
};

/**
 * The bucket behind credentials. Everything is given, so nothing is looked up anywhere. Clients are not kept: making
 * one takes a tenth of the time that signing takes, and credentials would outlive their disk in memory.
 */
async function bucketOf(auth_json: string): Promise<Bucket> {
  const { S3Client } = await sdk.s3();
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
 * Signs a form for one object, private, of at most so many bytes, for 24 hours. The object is served with
 * the file's name and the media type that the name suggests. No call to anywhere.
 */
export async function signUpload(
  auth_json: string,
  { object_key, max_bytes, file_name }: Upload,
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
    },
    Conditions: [['content-length-range', 0, max_bytes]],
    Expires: UPLOAD_SECONDS,
  });
}

/** Signs an address to fetch one object from, for an hour. No call to anywhere. */
export async function signDownload(auth_json: string, object_key: string): Promise<string> {
  const { client, name } = await bucketOf(auth_json);
  const { GetObjectCommand } = await sdk.s3();
  const { getSignedUrl } = await sdk.presigner();
  const command = new GetObjectCommand({ Bucket: name, Key: object_key });
  return getSignedUrl(client, command, { expiresIn: DOWNLOAD_SECONDS });
}
