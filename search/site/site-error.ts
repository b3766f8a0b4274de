/** Why a site cannot be read: a sentence for people. It would be the same again. */
export class SiteError extends Error {
  override readonly name = 'SiteError';
}
