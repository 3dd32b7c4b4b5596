import type { OpsCommand } from '../command.js';

/** Command modules are loaded on demand: when a command runs, or when help shows all of them. */
type Load = () => Promise<OpsCommand>;

/** All subcommands by their names, in the order in which help shows them. */
export const COMMANDS: Readonly<Record<string, Load>> = {
  orgs: async () => (await import('./maintenance/orgs.js')).orgs,
  replay: async () => (await import('./queries/replay.js')).replay,
  history: async () => (await import('./queries/history.js')).history,
  compare: async () => (await import('./queries/compare.js')).compare,
  explain: async () => (await import('./queries/explain.js')).explain,
  timeline: async () => (await import('./queries/timeline.js')).timeline,
  diff: async () => (await import('./queries/diff.js')).diff,
  reach: async () => (await import('./queries/reach.js')).reach,
  who: async () => (await import('./queries/who.js')).who,
  digest: async () => (await import('./queries/digest.js')).digest,
  verify: async () => (await import('./maintenance/verify.js')).verifying,
  export: async () => (await import('./transfer/export.js')).exporting,
  import: async () => (await import('./transfer/import.js')).importing,
  backup: async () => (await import('./transfer/backup.js')).backingUp,
  restore: async () => (await import('./transfer/restore.js')).restoring,
  migrate: async () => (await import('./transfer/migrate.js')).migrating,
  reindex: async () => (await import('./maintenance/reindex.js')).reindexing,
  content: async () => (await import('./maintenance/content.js')).content,
  doctor: async () => (await import('./maintenance/doctor.js')).doctor,
  kurrentdb: async () => (await import('./maintenance/kurrentdb.js')).kurrentdb,
};
