import type { Generator } from '../generators/packages.ts';

/** What makes clients of the API document, or judges it. Exact versions, for Node 20. */
export const TOOLS = {
  lint: {
    from: 'npm',
    packages: { '@redocly/cli': '2.77.0', '@stoplight/spectral-cli': '6.16.3' },
  },
  typescript: {
    from: 'npm',
    packages: { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0', typescript: '5.9.3' },
  },
  /** Brings its program for Java. */
  generator: {
    from: 'pip',
    packages: { 'openapi-generator-cli': '7.26.0' },
  },
  python: {
    from: 'pip',
    packages: { 'openapi-python-client': '0.29.1', mypy: '2.4.1' },
  },
} as const satisfies Record<string, Generator>;

export const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
