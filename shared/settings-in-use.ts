import { type Config, ConfigSchema, isSecret } from './config.ts';

const PROPERTIES: Record<string, { default?: unknown }> = ConfigSchema.properties;

/**
 * The settings of a process that are not defaults, for its log. A secret is shown as `set`, and an
 * address as its server: the rest may contain an account or a password.
 */
export function settingsInUse(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config)
      .filter(([name, value]) => name in PROPERTIES && value !== PROPERTIES[name]?.default)
      .map(([name, value]) => [name, typeof value === 'string' ? shown(name, value) : value]),
  );
}

function shown(name: string, value: string): string {
  if (isSecret(name)) return 'set';
  if (!value.includes('://')) return value;
  // If its password contains a / or #, a part of it is parsed as the host.
  const rest = /^[^:]*:\/\/[^/?#\\]*(.*)$/s.exec(value)?.[1] ?? '@';
  const { protocol, host } = URL.canParse(value) ? new URL(value) : {};
  return host === undefined || rest.includes('@') ? 'set' : `${protocol}//${host}`;
}
