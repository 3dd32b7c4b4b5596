import { SideStoreUnreachable } from '../event-store/port.js';

/** Names of driver errors for a missing server or connection; comparing names avoids loading the driver. */
const AWAY_NAMES: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
]);

/**
 * Error codes of a server that is shutting down, is not primary, has no majority, is busy or lost a cursor meanwhile,
 * reached the time limit of an operation (50), or has withdrawn the user's rights (13, 18):
 * https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
 */
const AWAY_CODES: ReadonlySet<unknown> = new Set([
  6, 7, 13, 18, 24, 43, 46, 50, 64, 89, 91, 112, 133, 134, 189, 202, 246, 262, 317, 365, 384, 9001,
  10_107, 11_600, 11_601, 11_602, 13_435, 13_436, 16_500,
]);

/** True if MongoDB could not be reached, or could not answer: a retry may succeed. */
export function isMongoUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) && Object(error) !== error) return false;
  const { name, code, errorLabels, errorResponse } = error as {
    name?: unknown;
    code?: unknown;
    errorLabels?: readonly string[];
    errorResponse?: unknown;
  };
  if (AWAY_NAMES.has(String(name))) return true;
  // The error of a bulk write lacks code and labels of its cause.
  if (name === 'MongoBulkWriteError' && errorResponse instanceof Error)
    return isMongoUnavailable(errorResponse);
  const is_of_mongo = String(name).startsWith('Mongo');
  return is_of_mongo && (AWAY_CODES.has(code) || !!errorLabels?.includes('RetryableWriteError'));
}

type Method = (this: object, ...values: unknown[]) => unknown;

/** The same stores, except that they throw `SideStoreUnreachable` if MongoDB is unreachable. */
export function withUnavailableErrors<T extends object>(stores: T): T {
  const parts = new WeakMap<object, object>();
  return new Proxy(stores, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === 'function')
        return Object.hasOwn(target, name) ? value : telling(target, value as Method);
      if (Object(value) !== value || value instanceof Promise) return value;
      const part = value as object;
      if (!parts.has(part)) parts.set(part, withUnavailableErrors(part));
      return parts.get(part);
    },
  });
}

function telling(target: object, method: Method): Method {
  return (...values) => {
    const answer = method.apply(target, values);
    if (answer instanceof Promise) return answer.catch(tell);
    return isIterable(answer) ? tellingEach(answer) : answer;
  };
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return Object(value) === value && Symbol.asyncIterator in (value as object);
}

async function* tellingEach(values: AsyncIterable<unknown>): AsyncGenerator<unknown, void> {
  try {
    yield* values;
  } catch (error) {
    tell(error);
  }
}

function tell(error: unknown): never {
  if (!isMongoUnavailable(error)) throw error;
  const message = `MongoDB is unavailable: ${(error as Error).message}`;
  throw new SideStoreUnreachable(message, { cause: error });
}
