import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A path that routes are registered for, and the methods that it takes. */
interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

const paths_by_server = new WeakMap<object, Map<string, KnownPath>>();

/** Remembers which methods each path takes. To be called before any route is registered. */
export function rememberPaths(server: FastifyInstance): void {
  const paths = new Map<string, KnownPath>();
  paths_by_server.set(server.server, paths);
  server.addHook('onRoute', ({ url, method }) => {
    let known = paths.get(url);
    if (!known) paths.set(url, (known = { pattern: patternOf(url), methods: new Set() }));
    for (const one of [method].flat()) known.methods.add(one);
  });
}

/**
 * The methods that the path of a request takes, in alphabetical order; empty if no route has it, or
 * if the request's own method is among them.
 */
export function otherMethods({ server, method, url }: FastifyRequest): string[] {
  const path = url.split('?', 1)[0]!;
  const methods = new Set<string>();
  for (const known of paths_by_server.get(server.server)?.values() ?? [])
    if (known.pattern.test(path)) for (const one of known.methods) methods.add(one);
  return methods.has(method) ? [] : [...methods].toSorted();
}

/** As the router matches: one part for a parameter, anything for a star, a trailing slash or none. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/').replace(/\/$/, '')}/?$`);
}
