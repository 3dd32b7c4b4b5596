import { describeWith } from '../../support/needs.js';

/** `describe` for specs that start an S3 server: skipped where this machine can have none. */
export const describeWithS3 = describeWith('s3');
