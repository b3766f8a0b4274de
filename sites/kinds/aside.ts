/** Folders whose sites are examples or tests, not the docs of the repository. */
const ASIDE = new RegExp(
  '(?:^|/)(?:examples?|tests?|__tests__|__e2e__|fixtures?|e2e|templates?|playground|demos?|' +
    'packages/create-[^/]+)(?:/|$)',
  'i',
);

/** Whether a path lies in such a folder. */
export function isAsidePath(path: string): boolean {
  return ASIDE.test(path);
}
