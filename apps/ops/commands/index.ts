import type { OpsCommand } from '../command.js';

/** Command modules are loaded on demand: when a command runs, or when help shows all of them. */
type Load = () => Promise<OpsCommand>;

/** All subcommands by their names, in the order in which help shows them. */
export const COMMANDS: Readonly<Record<string, Load>> = {
  orgs: async () => (await import('./orgs.js')).orgs,
  replay: async () => (await import('./replay.js')).replay,
  history: async () => (await import('./history.js')).history,
  compare: async () => (await import('./compare.js')).compare,
  explain: async () => (await import('./explain.js')).explain,
  timeline: async () => (await import('./timeline.js')).timeline,
  diff: async () => (await import('./diff.js')).diff,
  reach: async () => (await import('./reach.js')).reach,
  who: async () => (await import('./who.js')).who,
  digest: async () => (await import('./digest.js')).digest,
  verify: async () => (await import('./verify.js')).verifying,
  export: async () => (await import('./export.js')).exporting,
  import: async () => (await import('./import.js')).importing,
  migrate: async () => (await import('./migrate.js')).migrating,
  reindex: async () => (await import('./reindex.js')).reindexing,
  content: async () => (await import('./content.js')).content,
  doctor: async () => (await import('./doctor.js')).doctor,
  kurrentdb: async () => (await import('./kurrentdb.js')).kurrentdb,
};
