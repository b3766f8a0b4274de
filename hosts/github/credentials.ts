import { RepositoryError } from '../repository-error.ts';

/** Whose tokens open a repository. */
export interface GitHubCredentials {
  /** What the operator has set: sentences name it. */
  readonly kind: 'app' | 'token';
  /** A token for this one repository. Throws `RepositoryError`. */
  token(repository: string): Promise<string>;
  /** The token was refused: the next one is a fresh one. False where there is no other. */
  forget(repository: string): boolean;
  /** As whom it comments; undefined: as the token's person. Throws `RepositoryError`. */
  login?(): Promise<string>;
}

/**
 * GITHUB_TOKEN opens everything its owner may open, for every caller: it serves an instance with
 * one organization only.
 */
export function tokenCredentials(
  token: string,
  countOrganizations: () => Promise<number>,
): GitHubCredentials {
  return {
    kind: 'token',
    async token(repository) {
      if ((await countOrganizations()) <= 1) return token;
      throw new RepositoryError(
        'credentials_refused',
        `GITHUB_TOKEN serves one organization only, and there are several: ` +
          `set up a GitHub App for ${repository}.`,
      );
    },
    forget: () => false,
  };
}
