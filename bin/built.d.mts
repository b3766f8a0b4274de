export const BUILD_FOLDER: string;
export function builtFile(name: string): string | undefined;
export function hashOfSources(): string;
