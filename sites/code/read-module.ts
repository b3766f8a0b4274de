import type * as t from '@babel/types';
import { arrayValue, memberValue, objectValue } from './collections.ts';
import { declared, type Module, parseModule } from './parse-module.ts';
import {
  binaryValue,
  conditionValue,
  eitherValue,
  templateValue,
  unaryValue,
} from './operators.ts';
import { importedFile, withEnding } from './resolve-import.ts';
import { givenTo, type StaticValue, unwrapped, withChange } from './static-value.ts';
import {
  calledName,
  type FunctionNode,
  isFunction,
  nodeName,
  placeOf,
  type Scope,
  unknown,
} from './syntax-node.ts';

/**
 * Reads configuration that is written as code, without running it: literals, constants, spreads,
 * imports of files beside it, `defineConfig(…)`, functions that only return a value. Anything
 * else is `unknown` and says why.
 */
export class ModuleReader {
  readonly #read: (path: string) => string | undefined;
  readonly #has = (path: string): boolean => this.#read(path) !== undefined;
  readonly #modules = new Map<string, Module | undefined>();
  #depth = 0;
  #evaluated = 0;
  /** Constants that are being read. */
  readonly #open = new Set<t.Node>();
  /** Every file that was read, in order. */
  readonly files: string[] = [];

  constructor(read: (path: string) => string | undefined) {
    this.#read = read;
  }

  /** The text of a file that may be read. */
  read(path: string): string | undefined {
    return this.#read(path);
  }

  /** The default export, or `module.exports`; undefined if there is no file. */
  defaultExport(file: string): StaticValue | undefined {
    return this.export(file, 'default');
  }

  /**
   * The default export without the calls around it: `withPwa(extendConfig({ … }))` takes a
   * configuration and gives one back.
   */
  configuration(file: string): StaticValue | undefined {
    const value = this.defaultExport(file);
    return value && unwrapped(value);
  }

  /** Every exported value of a file. */
  exported(file: string): StaticValue[] {
    const module = this.#module(file);
    if (module?.json) return [module.json];
    return [...(module?.exports.keys() ?? [])].flatMap(name => this.export(file, name) ?? []);
  }

  /** An exported value by its name. */
  export(path: string, name: string): StaticValue | undefined {
    const file = withEnding(path, this.#has) ?? path;
    const module = this.#module(file);
    if (!module) return undefined;
    if (module.json) return name === 'default' ? module.json : undefined;
    const node = module.exports.get(name);
    if (node) return this.#exported(node, module);
    const source = module.reexports.get(name) ?? module.reexports.get('*');
    const from = source && importedFile(file, source.from, this.#has);
    // Modules may export each other.
    if (!from || this.#depth > MAX_DEPTH) return undefined;
    this.#depth += 1;
    try {
      return this.export(from, source.name === '*' ? name : source.name);
    } finally {
      this.#depth -= 1;
    }
  }

  /** A configuration may be a function that returns it. */
  #exported(node: t.Node, module: Module): StaticValue {
    const named = node.type === 'Identifier' ? module.constants.get(node.name) : node;
    if (named && isFunction(named)) return this.#body(named, { module, names: new Map() }, named);
    return this.#evaluate(node, { module, names: new Map() });
  }

  #module(file: string): Module | undefined {
    if (this.#modules.has(file)) return this.#modules.get(file);
    const text = this.#read(file);
    const module = text === undefined ? undefined : parseModule(file, text);
    this.#modules.set(file, module);
    if (module) this.files.push(file);
    if (module && file.endsWith('.json') && module.json === undefined && module.jsonNode)
      module.json = this.#evaluate(module.jsonNode, { module, names: new Map() });
    return module;
  }

  /** Names may name each other twice over and over: hence the bounds. */
  readonly #evaluate = (node: t.Node, scope: Scope): StaticValue => {
    if (this.#depth > MAX_DEPTH || (this.#evaluated += 1) > MAX_EVALUATED)
      return unknown(node, scope, 'is too large to be read');
    this.#depth += 1;
    try {
      return this.#value(node, scope);
    } finally {
      this.#depth -= 1;
    }
  };

  #value(node: t.Node, scope: Scope): StaticValue {
    const place = placeOf(node, scope);
    switch (node.type) {
      case 'StringLiteral':
      case 'NumericLiteral':
      case 'BooleanLiteral':
        return { ...place, kind: 'literal', value: node.value };
      case 'NullLiteral':
        return { ...place, kind: 'literal', value: null };
      case 'RegExpLiteral':
        return { ...place, kind: 'regex', source: flagged(node) };
      case 'TemplateLiteral':
        return templateValue(node, scope, this.#evaluate);
      case 'BinaryExpression':
        return binaryValue(node, scope, this.#evaluate);
      case 'UnaryExpression':
        return unaryValue(node, scope, this.#evaluate);
      case 'ArrayExpression':
        return arrayValue(node, scope, this.#evaluate);
      case 'ObjectExpression':
        return objectValue(node, scope, this.#evaluate);
      case 'Identifier':
        return this.#name(node, scope);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return memberValue(node, scope, this.#evaluate);
      case 'CallExpression':
        return this.#call(node, scope);
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'TSTypeAssertion':
      case 'ParenthesizedExpression':
        return this.#evaluate(node.expression, scope);
      case 'AwaitExpression':
        return this.#evaluate(node.argument, scope);
      case 'LogicalExpression':
        return eitherValue(node, scope, this.#evaluate);
      case 'ConditionalExpression':
        return conditionValue(node, scope, this.#evaluate);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        return unknown(node, scope, 'is a function');
      default:
        return unknown(node, scope, 'is computed');
    }
  }

  #name(node: t.Identifier, scope: Scope): StaticValue {
    const place = placeOf(node, scope);
    if (node.name === 'undefined') return { ...place, kind: 'literal', value: undefined };
    const local = scope.names.get(node.name);
    if (local) return local;
    if (node.name === '__dirname') return { ...place, kind: 'literal', value: '.' };
    const { module } = scope;
    const constant = module.constants.get(node.name);
    if (constant) return this.#constant(constant, node, scope);
    const imported = module.imports.get(node.name);
    const file = imported && importedFile(module.file, imported.from, this.#has);
    const value = file ? this.export(file, imported.name) : undefined;
    if (value) return value;
    const why = imported ? `comes from ${imported.from}` : `uses ${node.name}, which is computed`;
    return unknown(node, scope, why);
  }

  #constant(constant: t.Node, node: t.Identifier, scope: Scope): StaticValue {
    if (this.#open.has(constant)) return unknown(node, scope, 'is defined by itself');
    this.#open.add(constant);
    const value = this.#evaluate(constant, { module: scope.module, names: new Map() });
    this.#open.delete(constant);
    const change = scope.module.changes.get(node.name);
    return change ? withChange(value, unknown(change, scope, 'is changed by code')) : value;
  }

  #call(node: t.CallExpression, scope: Scope): StaticValue {
    const [first] = node.arguments;
    const { callee } = node;
    if (
      callee.type === 'Identifier' &&
      callee.name === 'require' &&
      first?.type === 'StringLiteral'
    )
      return this.#required(first.value, node, scope);
    const known = callee.type === 'Identifier' ? this.#function(callee.name, scope) : undefined;
    if (known) return this.#returned(known, node, scope);
    // Helpers such as defineConfig and withMermaid take a configuration and give one back.
    const isHelper = callee.type === 'Identifier' && /^(?:define|with)[A-Z]/.test(callee.name);
    if (isHelper && first) {
      const value = this.#evaluate(first, scope);
      if (value.kind === 'object' || value.kind === 'array')
        return givenTo(callee.name, value, unknown(node, scope, 'is computed'));
    }
    const call = {
      name: calledName(callee),
      arguments: node.arguments.map(one => this.#evaluate(one as t.Node, scope)),
    };
    const value = unknown(node, scope, `is computed by ${nodeName(callee)}`);
    return value.kind === 'unknown' ? { ...value, call } : value;
  }

  #required(specifier: string, node: t.Node, scope: Scope): StaticValue {
    const file = importedFile(scope.module.file, specifier, this.#has);
    const value = file ? this.export(file, 'default') : undefined;
    return value ?? unknown(node, scope, `comes from ${specifier}`);
  }

  #function(name: string, scope: Scope): { node: FunctionNode; module: Module } | undefined {
    const own = scope.module.constants.get(name);
    if (own) return isFunction(own) ? { node: own, module: scope.module } : undefined;
    const imported = scope.module.imports.get(name);
    const file = imported && importedFile(scope.module.file, imported.from, this.#has);
    const module = file ? this.#module(file) : undefined;
    const exported = imported && module?.exports.get(imported.name);
    if (!module || !exported) return undefined;
    const node = exported.type === 'Identifier' ? module.constants.get(exported.name) : exported;
    return node && isFunction(node) ? { node, module } : undefined;
  }

  /** The value of a call of a function that does nothing but return one. */
  #returned(
    { node, module }: { node: FunctionNode; module: Module },
    call: t.CallExpression,
    scope: Scope,
  ): StaticValue {
    const names = new Map<string, StaticValue>();
    for (const [index, parameter] of node.params.entries()) {
      const given = call.arguments[index];
      if (parameter.type === 'Identifier' && given)
        names.set(parameter.name, this.#evaluate(given, scope));
    }
    return this.#body(node, { module, names }, call);
  }

  /** Constants, then one `return`: anything else has to be run. */
  #body(node: FunctionNode, { module, names }: Scope, place: t.Node): StaticValue {
    const scope: Scope = { module, names: new Map(names) };
    if (node.body.type !== 'BlockStatement') return this.#evaluate(node.body, scope);
    for (const statement of node.body.body) {
      if (statement.type === 'ReturnStatement' && statement.argument)
        return this.#evaluate(statement.argument, scope);
      if (statement.type !== 'VariableDeclaration') break;
      for (const [name, value] of declared(statement))
        (scope.names as Map<string, StaticValue>).set(name, this.#evaluate(value, scope));
    }
    return unknown(place, scope, 'is computed by a function');
  }
}

const flagged = ({ flags, pattern }: t.RegExpLiteral) => (/i/.test(flags) ? '(?i)' : '') + pattern;
const [MAX_DEPTH, MAX_EVALUATED] = [200, 200_000];
