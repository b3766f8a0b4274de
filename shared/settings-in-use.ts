import { type Config, ConfigSchema } from './config.ts';

const PROPERTIES: Record<string, { default?: unknown }> = ConfigSchema.properties;

/**
 * The settings of a process that are not defaults, for its log. Texts with a secret in them are
 * `set`, and of an address only the server is shown: accounts and passwords are parts of others.
 */
export function settingsInUse(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config)
      .filter(([name, value]) => name in PROPERTIES && value !== PROPERTIES[name]?.default)
      .map(([name, value]) => [name, typeof value === 'string' ? shown(name, value) : value]),
  );
}

function shown(name: string, value: string): string {
  if (/KEY|TOKEN|SECRET/.test(name)) return 'set';
  if (!value.includes('://')) return value;
  return URL.canParse(value) ? `${new URL(value).protocol}//${new URL(value).host}` : 'set';
}
