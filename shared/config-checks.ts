import { isIP } from 'node:net';
import { ConfigError } from './errors.ts';
import { checkCloud, type CloudSettings } from './models/cloud-provider.ts';
import { parseFeatures } from './models/feature-names.ts';
import { checkPrices } from './models/model-prices.ts';
import { parseEfforts } from './models/thinking.ts';
import { reachableAddresses } from './outgoing/public-address.ts';

interface Settings extends CloudSettings {
  TRUSTED_PROXIES: string;
  ALLOWED_PRIVATE_NETWORKS: string;
  DATABASE_URL?: string;
  ANTHROPIC_BASE_URL?: string;
  MODEL_FEATURES?: string;
  MODEL_PRICES: string;
  MODEL_EFFORTS: string;
  OIDC_ISSUER?: string;
  OIDC_CLIENT_ID?: string;
  OIDC_CLIENT_SECRET?: string;
  GITHUB_APP_PRIVATE_KEY?: string;
  V1_SUNSET?: string;
  TEMPORAL_TLS_CLIENT_CERT_PATH?: string;
  TEMPORAL_TLS_CLIENT_KEY_PATH?: string;
}

/**
 * What the form of a setting alone does not say. Throws `ConfigError` with one sentence that names
 * the variable and what it must be.
 */
export function checkConfig(config: Settings): void {
  checkProxies(config.TRUSTED_PROXIES);
  checkDatabaseUrl(config.DATABASE_URL);
  checkPrices(config.MODEL_PRICES);
  parseEfforts(config.MODEL_EFFORTS);
  checkModelEndpoint(config);
  checkCloud(config);
  checkSignOn(config);
  checkCertificate(config);
  checkDate(config.V1_SUNSET);
  checkPrivateKey(config.GITHUB_APP_PRIVATE_KEY);
  reachableAddresses(config.ALLOWED_PRIVATE_NETWORKS);
}

function checkProxies(setting: string): void {
  if (/^(true|\d+)$/i.test(setting.trim()))
    throw new ConfigError(
      'TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, not a number or "true": ' +
        'either would let any client choose its address.',
    );
  for (const range of setting
    .split(',')
    .map(each => each.trim())
    .filter(Boolean)) {
    const [address = '', prefix = '0', ...rest] = range.split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
    if (rest.length > 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits)
      throw new ConfigError(
        'TRUSTED_PROXIES must be comma-separated addresses or ranges such as 10.0.0.0/8; ' +
          `got "${range}".`,
      );
  }
}

function checkModelEndpoint({ MODEL_FEATURES, ANTHROPIC_BASE_URL }: Settings): void {
  if (MODEL_FEATURES !== undefined) parseFeatures(MODEL_FEATURES);
  if (ANTHROPIC_BASE_URL === undefined) return;
  const { protocol } = URL.canParse(ANTHROPIC_BASE_URL)
    ? new URL(ANTHROPIC_BASE_URL)
    : { protocol: '' };
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new ConfigError(
      'ANTHROPIC_BASE_URL must be an address such as http://localhost:11434, without /v1/messages.',
    );
}

/**
 * The driver makes a host name of any other text. The value is not shown: it may contain a
 * password.
 */
function checkDatabaseUrl(url: string | undefined): void {
  if (url !== undefined && !/^postgres(ql)?:\/\//.test(url))
    throw new ConfigError(
      'DATABASE_URL must be an address such as postgres://user:password@host:5432/database.',
    );
}

/** A half-configured provider signs nobody in, and one over plain http could be anybody. */
function checkSignOn({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: id,
  OIDC_CLIENT_SECRET: secret,
}: Settings): void {
  if ([issuer, id, secret].some(Boolean) && !(issuer && id && secret))
    throw new ConfigError(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together: set all three or none.',
    );
  if (issuer && !/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)(:|\/|$))/.test(issuer))
    throw new ConfigError(`OIDC_ISSUER must be an https:// address; got "${issuer}".`);
}

function checkDate(setting: string | undefined): void {
  if (setting !== undefined && Number.isNaN(Date.parse(setting)))
    throw new ConfigError(
      `V1_SUNSET must be a date such as 2027-06-30; got ${JSON.stringify(setting)}.`,
    );
}

function checkPrivateKey(key: string | undefined): void {
  if (key !== undefined && !/-----BEGIN [A-Z ]*KEY-----/.test(key))
    throw new ConfigError(
      'GITHUB_APP_PRIVATE_KEY must be the content of the PEM file that GitHub issued.',
    );
}

/** One alone would be ignored, and the connection be refused for another reason. */
function checkCertificate(config: Settings): void {
  if (
    Boolean(config.TEMPORAL_TLS_CLIENT_CERT_PATH) !== Boolean(config.TEMPORAL_TLS_CLIENT_KEY_PATH)
  )
    throw new ConfigError(
      'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH go together: set both or none.',
    );
}
