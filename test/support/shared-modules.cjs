// Jest loads every module again for each test file, and Node 20 frees none of them: a second and
// 90 MB a file, and the larger a process the longer it takes to start git. This runtime loads
// packages and what they are made of, the product, once for each Jest worker, as Node does; only
// `test/` is the file's own, and `bench/`, which imports from it; all of it if the test controls the
// timers. So a test must not change `process.env` for the product: its `process` is a copy.
const { default: Runtime } = require('jest-runtime');
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const { isDate, isNativeError } = require('node:util').types;
const { dirname, join, sep } = require('node:path');
const { SourceTextModule, SyntheticModule } = require('node:vm');

const PACKAGE = /\/node_modules\/(?!\.cache\/)/;
const ROOT = join(__dirname, '..', '..') + sep;
const TESTS = ['test', 'bench'].map(folder => join(ROOT, folder) + sep);
const isProduct = path =>
  path.startsWith(ROOT) &&
  !TESTS.some(folder => path.startsWith(folder)) &&
  !PACKAGE.test(path) &&
  /\.(ts|mjs|json)$/.test(path);

module.exports = class extends Runtime {
  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    current = this;
    for (const [path, map] of sourceMaps) this.transformCache.sourceMaps.set(path, map);
    for (const realm of [globalThis, environment.global]) recognise(realm);
    const { esmLoader, _resolution: resolution, registries, _testPath: test } = this;
    // Timers that a test controls are those of its own context.
    const sharesProduct = !test || !readFileSync(test, 'utf8').includes('useFakeTimers');
    // From Node 24 on Jest would link modules itself, without asking for each.
    resolution.canResolveSync = () => false;
    const resolveModule = esmLoader.resolveModule.bind(esmLoader);
    esmLoader.resolveModule = async (specifier, from, context) => {
      if (/^(data:|@jest\/)/.test(specifier)) return await resolveModule(specifier, from, context);
      const path = await resolution.resolveEsmAsync(from, specifier);
      const load = loader(path, sharesProduct);
      if (!load) return await resolveModule(specifier, from, context);
      const loaded = registries.getActiveEsmRegistry();
      if (!loaded.has(path))
        loaded.set(
          path,
          load(path).then(all => copyOf(all, path, context)),
        );
      return await loaded.get(path);
    };
  }
};

shareSerializers();

function loader(path, sharesProduct) {
  if (PACKAGE.test(path)) return importPackage;
  return sharesProduct && isProduct(path) ? importProduct : undefined;
}

/**
 * Fastify compiles a serializer for each answer of each route, 300 for an API: 0.3 s of CPU at each
 * start. They follow from the schema alone.
 */
function shareSerializers() {
  const path = createRequire(require.resolve('fastify')).resolve(
    '@fastify/fast-json-stringify-compiler',
  );
  const { SerializerSelector } = require(path);
  const compiled = new Map();
  require.cache[path].exports = () => {
    const build = SerializerSelector();
    return (shared, options) => {
      const compile = build(shared, options);
      return route => {
        const key = JSON.stringify([shared, options, route.schema]);
        if (!compiled.has(key)) compiled.set(key, compile(route));
        return compiled.get(key);
      };
    };
  };
}

async function importPackage(path) {
  return await import(path.startsWith('node:') ? path : pathToFileURL(path).href);
}

/** Of the product: modules by path; what they import from packages and Node is theirs, too. */
const modules = new Map();
let linking = Promise.resolve();
/** For stacks in every test file, wherever the module was read first. */
const sourceMaps = new Map();
/** The newest: earlier ones are of files that have ended. */
let current;

async function importProduct(path) {
  const module = productModule(path);
  // One at a time: a module that another import is linking must be ready before it is evaluated.
  const linked = linking.then(async () => {
    if (module.status === 'unlinked')
      await module.link((specifier, from) => importedBy(specifier, from.identifier));
  });
  linking = linked.catch(() => undefined);
  await linked;
  await module.evaluate();
  return module.namespace;
}

async function importedBy(specifier, from) {
  const path = specifier.startsWith('node:')
    ? specifier
    : await current._resolution.resolveEsmAsync(from, specifier);
  if (isProduct(path)) return productModule(path);
  if (!modules.has(path)) {
    const all = await importPackage(path);
    modules.set(path, new SyntheticModule(Object.keys(all), exportAll(all), { identifier: path }));
  }
  return modules.get(path);
}

function productModule(path) {
  if (!modules.has(path)) modules.set(path, readModule(path));
  return modules.get(path);
}

function readModule(path) {
  if (path.endsWith('.json')) {
    const all = { default: JSON.parse(readFileSync(path, 'utf8')) };
    return new SyntheticModule(['default'], exportAll(all), { identifier: path });
  }
  return new SourceTextModule(transformed(path), {
    identifier: path,
    async importModuleDynamically(specifier) {
      const { identifier } = await importedBy(specifier, path);
      return isProduct(identifier)
        ? await importProduct(identifier)
        : await importPackage(identifier);
    },
    initializeImportMeta(meta) {
      meta.url = pathToFileURL(path).href;
      meta.filename = path;
      meta.dirname = dirname(path);
      meta.resolve = specifier =>
        specifier.startsWith('.')
          ? new URL(specifier, meta.url).href
          : pathToFileURL(current._resolution.resolveEsm(path, specifier)).href;
    },
  });
}

function transformed(path) {
  const { transformCache } = current;
  const code = transformCache.transform(path, {
    isInternalModule: false,
    supportsDynamicImport: true,
    supportsExportNamespaceFrom: true,
    supportsStaticESM: true,
    supportsTopLevelAwait: true,
  });
  const map = transformCache.sourceMaps.get(path);
  if (map) sourceMaps.set(path, map);
  return code;
}

/** The module as the test file sees it: one of its own context. */
async function copyOf(all, path, context) {
  const copy = new SyntheticModule(Object.keys(all), exportAll(all), { context, identifier: path });
  await copy.link(() => undefined);
  await copy.evaluate();
  return copy;
}

function exportAll(all) {
  return function evaluate() {
    for (const [name, value] of Object.entries(all)) this.setExport(name, value);
  };
}

/** Packages and tests have an `Error` and a `Date` each, and must take the other's for one. */
function recognise(realm) {
  const named = name => value => isNativeError(value) && value.name === name;
  const kinds = {
    Error: isNativeError,
    TypeError: named('TypeError'),
    SyntaxError: named('SyntaxError'),
    Date: isDate,
  };
  for (const [name, isOne] of Object.entries(kinds)) {
    const type = realm[name];
    Object.defineProperty(type, Symbol.hasInstance, {
      configurable: true,
      value(one) {
        return (
          Function.prototype[Symbol.hasInstance].call(this, one) || (this === type && isOne(one))
        );
      },
    });
  }
}
