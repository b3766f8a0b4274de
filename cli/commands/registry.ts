import type { Command } from 'commander';
import type { Env } from '../connect/settings.ts';

/** Adds a command to the program. */
type Register = (program: Command, env: Env) => void;

/** The commands of `docent`, in the order of the help. Each loads its file when it is needed. */
export const COMMANDS: readonly [name: string, load: () => Promise<Register>][] = [
  ['start', async () => (await import('./servers/start.ts')).registerStart],
  ['demo', async () => (await import('./demo.ts')).registerDemo],
  ['check', async () => (await import('./check.ts')).registerCheck],
  ['doctor', async () => (await import('./doctor.ts')).registerDoctor],
  ['api', async () => (await import('./servers/api.ts')).registerApi],
  ['worker', async () => (await import('./servers/worker.ts')).registerWorker],
  ['codec', async () => (await import('./servers/codec.ts')).registerCodec],
  ['migrate', async () => (await import('./data/migrate.ts')).registerMigrate],
  ['backup', async () => (await import('./data/backup.ts')).registerBackup],
  ['restore', async () => (await import('./data/restore.ts')).registerRestore],
  ['reconcile', async () => (await import('./data/reconcile.ts')).registerReconcile],
  ['project', async () => (await import('./project.ts')).registerProject],
  ['index', async () => (await import('./index-site.ts')).registerIndex],
  ['github', async () => (await import('./github.ts')).registerGitHub],
  ['embeddings', async () => (await import('./embeddings.ts')).registerEmbeddings],
  ['key', async () => (await import('./key.ts')).registerKey],
  ['organization', async () => (await import('./organization.ts')).registerOrganization],
  ['user', async () => (await import('./user.ts')).registerUser],
  ['audit', async () => (await import('./audit.ts')).registerAudit],
  ['job', async () => (await import('./job.ts')).registerJob],
  ['automation', async () => (await import('./automation.ts')).registerAutomation],
  ['webhook', async () => (await import('./webhook.ts')).registerWebhook],
  ['pr', async () => (await import('./pull-request.ts')).registerPullRequest],
  ['completion', async () => (await import('./completion.ts')).registerCompletion],
];
