import type { Construct } from '../../shared/jobs/construct.ts';

/** What the policy refuses; a stable name that reports and tests go by. */
export type PolicyRule =
  | 'unsafe-path'
  | 'outside-docs'
  | 'protected-path'
  | 'instruction-file'
  | 'path-collision'
  | 'link'
  | 'submodule'
  | 'file-type'
  | 'file-size'
  | 'binary'
  | 'too-complex'
  | 'unused-file'
  | 'navigation'
  | 'secret'
  | 'front-matter'
  | 'markup'
  | 'template'
  | 'mdx-code'
  | 'script'
  | 'embed';

/** One reason why a job's tree may not be published. The message never quotes a secret. */
export interface Violation {
  path: string;
  rule: PolicyRule;
  message: string;
  /** A person may allow it. */
  construct?: Construct;
}

export const MAX_FILE_BYTES = 1024 * 1024;
