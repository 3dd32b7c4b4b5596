import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A path with registered routes, and the methods of these routes. */
interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

const paths_by_server = new WeakMap<object, Map<string, KnownPath>>();

/** Records the methods of each path. Call it before any route is registered. */
export function recordPaths(server: FastifyInstance): void {
  const paths = new Map<string, KnownPath>();
  paths_by_server.set(server.server, paths);
  server.addHook('onRoute', ({ url, method }) => {
    let known = paths.get(url);
    if (!known) paths.set(url, (known = { pattern: patternOf(url), methods: new Set() }));
    for (const name of [method].flat()) known.methods.add(name);
  });
}

/**
 * The methods of a request's path, in alphabetical order. Empty if the path is unknown or has a route
 * for the request's own method.
 */
export function allowedMethods({ server, method, url }: FastifyRequest): string[] {
  const path = url.split('?', 1)[0]!;
  const methods = new Set<string>();
  for (const known of paths_by_server.get(server.server)?.values() ?? [])
    if (known.pattern.test(path)) for (const name of known.methods) methods.add(name);
  return methods.has(method) ? [] : [...methods].toSorted();
}

/** Matches like the router: a parameter matches one segment, a star anything; a trailing slash is optional. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/').replace(/\/$/, '')}/?$`);
}
