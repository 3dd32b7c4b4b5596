/** A typed client of the Drive Workspace Service, for Node.js and browsers. */
export type { ActionName, PayloadOf, ResultOf } from './actions.js';
export type { Answer, Call, ListCall, PagedCall } from './call.js';
export {
  type AsOfOptions,
  connect,
  connectFactory,
  type ConnectOptions,
  type Drive,
  type Factory,
  type PastDrive,
} from './connect.js';
export type { DownloadOptions } from './directory.js';
export {
  ConnectionError,
  DriveError,
  type ErrorDetail,
  type ErrorType,
  isDriveError,
} from './errors.js';
export type { FeedEvent, FeedOptions } from './feed.js';
export type { components, paths } from './generated/api.js';
export type { Point } from './points.js';
export type { RetryOptions } from './retry.js';
export type { Credential, TransportOptions } from './transport.js';
export type { CommandOptions, OnceOptions, ReadOptions } from './types.js';
export type { Content, UploadOptions, UploadProgress, WholeOptions } from './uploads.js';
export type { VerifyOptions, VerifyProgress } from './verification.js';
