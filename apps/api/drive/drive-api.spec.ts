import { Unavailable } from '../../../libs/engine/writer/call.js';
import {
  SideStoreUnreachable,
  StoreUnavailable,
  StoreUnreachable,
  EventsUnusable,
} from '../../../libs/event-store/port.js';
import { Abandoned } from '../../../libs/engine/tasks/long-query.js';
import type { ApiError } from '../platform/errors.js';
import { throwUnavailable } from './drive-api.js';

/** The API error for an error of the engine. */
function errorFor(error: unknown): unknown {
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
      'a failure caused by an unreachable server',
      new Unavailable('store-failed', { cause: new StoreUnreachable('refused') }),
      'store-unavailable',
    ],
    [
      'a full disk',
      Object.assign(new Error('database or disk is full'), { errcode: 13 }),
      'drive.store-failed',
    ],
    ['a drive that is stopping', new Unavailable('stopping'), 'server.stopping'],
  ])('%s: 503 with Retry-After', (_, error, type) => {
    expect(errorFor(error)).toMatchObject({ status: 503, type, headers: { 'Retry-After': '1' } });
  });

  it.each([
    ['a drive that is too large', new Unavailable('too-large'), 'drive.too-large'],
    ['a damaged file of events', new EventsUnusable('events.db is damaged'), 'drive.broken'],
  ])('%s: 503 without Retry-After', (_, thrown, type) => {
    const error = errorFor(thrown) as ApiError;
    expect(error).toMatchObject({ status: 503, type });
    expect(error.headers).toEqual({});
  });

  it('a client that disconnected: 499, which is no failure of the service', () => {
    expect(errorFor(new Abandoned())).toMatchObject({ status: 499, type: 'request.abandoned' });
  });

  it('any other error is rethrown unchanged', () => {
    const bug = new Error('a bug');
    expect(errorFor(bug)).toBe(bug);
  });
});
