/** The folder of a path; '' at the top. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** A folder beside a file. */
export function beside(folder: string): (file: string) => string | undefined {
  return file => joinPath(folderOf(file), folder);
}

/** The last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Joins and resolves `.` and `..`; undefined if that leads out of the top. */
export function joinPath(...parts: string[]): string | undefined {
  const joined: string[] = [];
  for (const segment of parts.join('/').split('/')) {
    if (segment === '..') {
      if (joined.pop() === undefined) return undefined;
    } else if (segment !== '.' && segment !== '') joined.push(segment);
  }
  return joined.join('/');
}

/** A path below `folder` without the folder, or undefined if it is not below. */
export function below(folder: string, path: string): string | undefined {
  if (folder === '') return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

/** One leading slash, none at the end. */
export function sitePathOf(...parts: string[]): string {
  return `/${joinPath(...parts) ?? ''}`;
}

/** `/docs` for `https://example.com/docs/`, `/docs/` or `docs`; `/` if there is no path. */
export function basePathOf(address: string | undefined): string {
  if (address === undefined) return '/';
  const path = /^[a-z][a-z\d+.-]*:\/\/[^/]*(\/.*)?$/i.exec(address);
  return sitePathOf((path ? path[1] : address) ?? '');
}

/** `https://docs.example.com` for an address that begins so; null if it has no origin. */
export function originOf(address: string | null): string | null {
  return /^\w+:\/\/[^/]+/.exec(address ?? '')?.[0] ?? null;
}

/** A site path with the base path before it. */
export function withBase(basePath: string, path: string): string {
  return basePath === '/' ? path : path === '/' ? `${basePath}/` : `${basePath}${path}`;
}

/** Splits `./a.md?x#y` into its decoded path and anchor. */
export function splitUrl(url: string): { path: string; anchor: string | null } {
  const [, path = '', anchor] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(url) ?? [];
  return {
    path: decoded(path),
    anchor: anchor === undefined || anchor === '' ? null : decoded(anchor),
  };
}

/** Whether an address has a scheme or names another host. */
export function isExternal(url: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(url);
}

/** A path without escapes such as `%20`; one that cannot be decoded stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
