import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { goProgram } from '../../support/go-programs.js';
import { REPOSITORY } from '../markdown.js';

/** A service as Compose sees it, as far as tests look. */
export interface Service {
  readonly image: string;
  readonly build?: object;
  readonly command: readonly string[] | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly networks?: Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly ports?: readonly { published: string; host_ip: string }[];
  readonly volumes?: readonly { type: string; source: string; target: string }[];
  readonly healthcheck?: object;
  readonly stop_grace_period?: string;
  readonly deploy?: { readonly resources: { readonly limits: object } };
}

/** Compose files, merged. */
export interface Project {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { ipam: { config: readonly object[] } }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/**
 * What Docker Compose makes of files at the top of the repository with nothing but these variables set, or why
 * it refuses them. Its own library reads them (main.go).
 */
export function composed(
  files: readonly string[],
  variables: Readonly<Record<string, string>>,
): { project?: Project; problems: string } {
  const { PATH = '', HOME = '' } = process.env;

  const { status, stdout, stderr } = spawnSync(
    goProgram('compose'),
    files.map((file) => join(REPOSITORY, file)),
    { cwd: REPOSITORY, encoding: 'utf8', env: { PATH, HOME, ...variables } },
  );
  return status === 0 ? { project: JSON.parse(stdout), problems: '' } : { problems: stderr };
}
