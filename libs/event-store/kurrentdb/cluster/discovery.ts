/**
 * The client (@kurrent/kurrentdb-client 1.3.1) means to ask the node that has failed for the leader last, but leaves it
 * at a random place. A frozen node asked first delays the search by `gossipTimeout`. Corrected here from outside.
 */
import discovery from '@kurrent/kurrentdb-client/dist/Client/discovery.js';

const { discoverEndpoint } = discovery;

type Discover = typeof discoverEndpoint;

/** One round without the failed node, then as the client does. */
const withFailedLast: Discover = async (settings, credentials, failed) => {
  const endpoints = 'endpoints' in settings ? settings.endpoints : [];
  const others = endpoints.filter(
    ({ address, port }) => address !== failed?.address || port !== failed.port,
  );
  if (others.length > 0 && others.length < endpoints.length) {
    const round = { ...settings, endpoints: others, maxDiscoverAttempts: 1 };
    const found = await discoverEndpoint(round, credentials).catch(() => null);
    if (found) return found;
  }
  return discoverEndpoint(settings, credentials, failed);
};

/** Has all clients of this process ask a failed node last. */
export function askFailedNodeLast(): void {
  (discovery as { discoverEndpoint: Discover }).discoverEndpoint = withFailedLast;
}
