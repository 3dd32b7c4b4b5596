import { randomBytes } from 'node:crypto';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { thisMachine } from '../../support/machine.js';
import { NEEDS, s3Provider } from '../../support/needs.js';
import { startGoServer } from '../go-server.js';

const REGION = 'us-east-1';

/** Credentials of one bucket, as a disk's `auth_json` holds them. */
export interface BucketCredentials {
  readonly endpoint: string;
  readonly access_key: string;
  readonly secret_key: string;
  readonly bucket: string;
  readonly region: string;
}

type Account = Omit<BucketCredentials, 'bucket'>;

/** A server that speaks S3's protocol. */
export interface S3Server {
  /** Makes an empty bucket, which goes with the server. */
  freshBucket(): Promise<BucketCredentials>;
  /** Ends the server; one that is somebody else's loses the buckets that were made here. */
  stop(): Promise<void>;
}

/**
 * The server at `S3_URL` (`http://ACCESS_KEY:SECRET_KEY@HOST:PORT`), or one of its own on an empty folder and a free
 * port.
 * @throws Error if this machine has none of them
 */
export async function startS3(): Promise<S3Server> {
  switch (s3Provider(thisMachine())) {
    case 'url':
      return sharedServer(new URL(process.env.S3_URL!));
    case 'go':
      return ownServer();
    case null:
      throw new Error(`no S3 server can be started: ${NEEDS.s3.advice}`);
  }
}

function sharedServer({ origin, username, password }: URL): S3Server {
  const [access_key, secret_key] = [username, password].map(decodeURIComponent) as [string, string];
  const account = { endpoint: origin, access_key, secret_key, region: REGION };
  const made: string[] = [];
  return {
    freshBucket: async () => {
      const credentials = await makeBucket(account);
      made.push(credentials.bucket);
      return credentials;
    },
    stop: async () => {
      for (const bucket of made) await removeBucket(account, bucket);
    },
  };
}

async function ownServer(): Promise<S3Server> {
  const [access_key, secret_key] = [8, 20].map((bytes) => randomBytes(bytes).toString('hex')) as [
    string,
    string,
  ];
  const { url: endpoint, stop } = await startGoServer('s3', {
    args: ['-region', REGION],
    env: { S3_ACCESS_KEY: access_key, S3_SECRET_KEY: secret_key },
  });
  const account = { endpoint, access_key, secret_key, region: REGION };
  return { freshBucket: () => makeBucket(account), stop };
}

async function makeBucket(account: Account): Promise<BucketCredentials> {
  const bucket = `test-${randomBytes(8).toString('hex')}`;
  await withClient(account, (client) => client.send(new CreateBucketCommand({ Bucket: bucket })));
  return { ...account, bucket };
}

async function removeBucket(account: Account, bucket: string): Promise<void> {
  await withClient(account, async (client) => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
    for (const { Key } of Contents)
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
    await client.send(new DeleteBucketCommand({ Bucket: bucket }));
  });
}

async function withClient<T>(account: Account, run: (client: S3Client) => Promise<T>): Promise<T> {
  const { endpoint, access_key, secret_key, region } = account;
  const credentials = { accessKeyId: access_key, secretAccessKey: secret_key };
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  try {
    return await run(client);
  } finally {
    client.destroy();
  }
}
