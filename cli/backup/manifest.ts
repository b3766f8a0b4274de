import { type Static, Type } from '@sinclair/typebox';

/** Describes the rest of a backup; written last but for the checksums. */
export const MANIFEST = 'manifest.json';
/** As `sha256sum --check` reads it. A folder without this file is not a whole backup. */
export const CHECKSUMS = 'SHA256SUMS';

export const Manifest = Type.Object({
  format: Type.Literal(1),
  /** The release that made it. */
  docent: Type.String(),
  /** What was acknowledged before this time is in the backup. */
  mark: Type.String(),
  finished: Type.String(),
  /** The newest migration of its database. */
  migration: Type.String(),
  /** The major version of its Postgres. */
  postgres: Type.String(),
  /** All folders, since empty ones count. */
  folders: Type.Array(Type.String()),
  /**
   * What secrets in the database open with: sealed in the backup, or to be kept elsewhere (the file
   * `encryption.key`, the setting). Left out: there is none, or a release before made it.
   */
  encryptionKey: Type.Optional(
    Type.Union([Type.Literal('sealed'), Type.Literal('file'), Type.Literal('setting')]),
  ),
  /** How many files there are beside manifest and checksums. */
  files: Type.Integer(),
});
export type Manifest = Static<typeof Manifest>;

/** What a backup may contain: nothing that leads out of it. */
const ALLOWED =
  /^(?:demo\.env|encryption\.key\.sealed|(?:postgres|temporal|repositories)(?:\/(?!\.{1,2}(?:\/|$))[^/]+)*)$/;

export function isBackupPath(path: string): boolean {
  return ALLOWED.test(path) && !path.includes('\0');
}
