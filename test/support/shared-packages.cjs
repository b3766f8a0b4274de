// Jest loads every module again for each test file: two hundred of ours, which is quick, and two
// thousand of the packages', which cost a second and 70 MB a file and lose their compiled code.
// This runtime loads packages once for each Jest worker, as Node does; what is ours stays the
// file's own.
const { default: Runtime } = require('jest-runtime');
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const { isDate, isNativeError } = require('node:util').types;
const { SyntheticModule } = require('node:vm');

const PACKAGE = /\/node_modules\/(?!\.cache\/)/;

module.exports = class extends Runtime {
  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    for (const realm of [globalThis, environment.global]) recognise(realm);
    const { esmLoader, _resolution: resolution, registries } = this;
    const resolveModule = esmLoader.resolveModule.bind(esmLoader);
    esmLoader.resolveModule = async (specifier, from, context) => {
      if (/^(data:|@jest\/)/.test(specifier)) return await resolveModule(specifier, from, context);
      const path = await resolution.resolveEsmAsync(from, specifier);
      if (!PACKAGE.test(path)) return await resolveModule(specifier, from, context);
      const loaded = registries.getActiveEsmRegistry();
      if (!loaded.has(path)) loaded.set(path, importOnce(path, context));
      return await loaded.get(path);
    };
  }
};

shareSerializers();

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

async function importOnce(path, context) {
  const namespace = await import(pathToFileURL(path).href);
  const names = Object.keys(namespace);
  const module = new SyntheticModule(
    names,
    () => {
      for (const name of names) module.setExport(name, namespace[name]);
    },
    { context, identifier: path },
  );
  await module.link(() => undefined);
  await module.evaluate();
  return module;
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
