import { Unavailable } from '../../../libs/engine/call.js';
import { StoreAway } from '../../../libs/event-store/port.js';
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
    ['a store that cannot be read', new StoreAway('no connection'), 'drive.store-failed'],
    ['a drive that is stopping', new Unavailable('stopping'), 'server.stopping'],
  ])('%s is nothing wrong with the request: 503, and try again', (_, error, type) => {
    expect(told(error)).toMatchObject({ status: 503, type, headers: { 'Retry-After': '1' } });
  });

  it('whatever else goes wrong stays what it is', () => {
    const bug = new Error('a bug');
    expect(told(bug)).toBe(bug);
  });
});
