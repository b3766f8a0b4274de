/** A repository that is reached by git over HTTP. */
export interface GitRemote {
  /** Names the repository within the cache: relative, `/` between parts, nothing that climbs. */
  key: string;
  /** What people call it: used in sentences. */
  name: string;
  /** Without credentials. */
  url: string;
  /**
   * It hands out single objects (git's partial clone): pages are fetched at once, other contents
   * when they are read.
   */
  partial?: boolean;
  /** It is Docent's own, and no proxy is between. */
  isOurs?: boolean;
  /**
   * The value of the Authorization header, asked for where it is used, so that it may be
   * short-lived.
   */
  authorization(): Promise<string | undefined>;
}
