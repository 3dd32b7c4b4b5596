import { Unavailable } from '../../../libs/engine/writer/call.js';
import {
  SideStoreUnreachable,
  StoreUnavailable,
  StoreUnreachable,
} from '../../../libs/event-store/port.js';
import { Abandoned } from '../../../libs/engine/tasks/long-query.js';
import type { ApiError } from '../platform/errors.js';
import { throwUnavailable } from './drive-api.js';

/** What a caller is told of an error. */
function told(error: unknown): unknown {
  try {
    return throwUnavailable(error);
  } catch (thrown) {
    return thrown;
  }
}

describe('errors of the engine', () => {
  it.each([
    ['a store that cannot be read', new StoreUnavailable('no connection'), 'drive.store-failed'],
    ['a server that cannot be reached', new StoreUnreachable('refused'), 'store-unavailable'],
    ['a database that cannot be reached', new SideStoreUnreachable('away'), 'store-unavailable'],
    [
      'what failed since a server cannot be reached',
      new Unavailable('store-failed', { cause: new StoreUnreachable('refused') }),
      'store-unavailable',
    ],
    ['a drive that is stopping', new Unavailable('stopping'), 'server.stopping'],
  ])('%s is nothing wrong with the request: 503, and try again', (_, error, type) => {
    expect(told(error)).toMatchObject({ status: 503, type, headers: { 'Retry-After': '1' } });
  });

  it('a drive that is too large is 503, and trying again is of no use', () => {
    const error = told(new Unavailable('too-large')) as ApiError;
    expect(error).toMatchObject({ status: 503, type: 'drive.too-large' });
    expect(error.headers).toEqual({});
  });

  it('an answer that nobody waits for any more is no failure of the service', () => {
    expect(told(new Abandoned())).toMatchObject({ status: 499, type: 'request.abandoned' });
  });

  it('whatever else goes wrong stays what it is', () => {
    const bug = new Error('a bug');
    expect(told(bug)).toBe(bug);
  });
});
