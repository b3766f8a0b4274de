import { parse, type ParserOptions } from '@babel/parser';
import type * as t from '@babel/types';
import { folderOf, joinPath } from '../kinds/paths.ts';
import type { StaticValue } from './static-value.ts';

/**
 * Reads configuration that is written as code, without running it: literals, constants, spreads,
 * imports of files beside it, `defineConfig(…)`, functions that only return a value. What cannot be
 * told so is `unknown` and says why.
 */
export class ModuleReader {
  readonly #read: (path: string) => string | undefined;
  readonly #modules = new Map<string, Module | undefined>();
  #depth = 0;
  /** Every file that was read, in order. */
  readonly files: string[] = [];

  constructor(read: (path: string) => string | undefined) {
    this.#read = read;
  }

  /** What the module exports as default (or as `module.exports`), undefined if there is no file. */
  defaultExport(file: string): StaticValue | undefined {
    return this.export(file, 'default');
  }

  /** An exported value by its name. */
  export(file: string, name: string): StaticValue | undefined {
    const module = this.#module(file);
    if (!module) return undefined;
    if (module.json) return name === 'default' ? module.json : undefined;
    const node = module.exports.get(name);
    if (node) return this.#exported(node, module);
    const source = module.reexports.get(name) ?? module.reexports.get('*');
    const from = source && this.#resolve(file, source.from);
    return from ? this.export(from, source.name === '*' ? name : source.name) : undefined;
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

  /** The file that a relative import means. */
  #resolve(from: string, specifier: string): string | undefined {
    if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return undefined;
    const path = joinPath(folderOf(from), specifier);
    if (path === undefined) return undefined;
    const bare = path.replace(/\.(?:[cm]?js|jsx)$/, '');
    const names = [path, ...EXTENSIONS.flatMap(one => [`${bare}${one}`, `${path}/index${one}`])];
    return names.find(name => this.#read(name) !== undefined);
  }

  #evaluate(node: t.Node, scope: Scope): StaticValue {
    if (this.#depth > 200) return unknown(node, scope, 'is nested too deeply');
    this.#depth += 1;
    try {
      return this.#value(node, scope);
    } finally {
      this.#depth -= 1;
    }
  }

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
        return { ...place, kind: 'regex', source: node.pattern };
      case 'TemplateLiteral':
        return this.#template(node, scope);
      case 'BinaryExpression':
        return this.#binary(node, scope);
      case 'UnaryExpression':
        return this.#unary(node, scope);
      case 'ArrayExpression':
        return this.#array(node, scope);
      case 'ObjectExpression':
        return this.#object(node, scope);
      case 'Identifier':
        return this.#name(node, scope);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.#memberOf(node, scope);
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
        return this.#either(node, scope);
      case 'ConditionalExpression':
        return this.#condition(node, scope);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        return unknown(node, scope, 'is a function');
      default:
        return unknown(node, scope, 'is computed');
    }
  }

  #template(node: t.TemplateLiteral, scope: Scope): StaticValue {
    const parts = node.expressions.map(one => this.#evaluate(one, scope));
    if (parts.some(part => part.kind !== 'literal')) return unknown(node, scope, 'is computed');
    const value = node.quasis
      .map((quasi, index) => {
        const part = parts[index];
        const inserted = part?.kind === 'literal' ? String(part.value) : '';
        return `${quasi.value.cooked ?? ''}${inserted}`;
      })
      .join('');
    return { ...placeOf(node, scope), kind: 'literal', value };
  }

  #binary(node: t.BinaryExpression, scope: Scope): StaticValue {
    const [left, right] = [this.#evaluate(node.left, scope), this.#evaluate(node.right, scope)];
    if (left.kind !== 'literal' || right.kind !== 'literal')
      return unknown(node, scope, 'is computed');
    const [a, b] = [left.value, right.value];
    const results: Record<string, string | boolean> = {
      '+': `${String(a)}${String(b)}`,
      '===': a === b,
      '==': a === b,
      '!==': a !== b,
      '!=': a !== b,
    };
    const value = results[node.operator];
    return value === undefined
      ? unknown(node, scope, 'is computed')
      : { ...placeOf(node, scope), kind: 'literal', value };
  }

  #either(node: t.LogicalExpression, scope: Scope): StaticValue {
    const left = this.#evaluate(node.left, scope);
    if (left.kind === 'unknown') return unknown(node, scope, 'depends on a condition');
    const isNothing = left.kind === 'literal' && (left.value === undefined || left.value === null);
    const isTrue = left.kind !== 'literal' || Boolean(left.value);
    const takesRight = { '||': !isTrue, '&&': isTrue, '??': isNothing }[node.operator];
    return takesRight ? this.#evaluate(node.right, scope) : left;
  }

  #condition(node: t.ConditionalExpression, scope: Scope): StaticValue {
    const test = this.#evaluate(node.test, scope);
    if (test.kind === 'unknown') return unknown(node, scope, 'depends on a condition');
    const isTrue = test.kind !== 'literal' || Boolean(test.value);
    return this.#evaluate(isTrue ? node.consequent : node.alternate, scope);
  }

  #unary(node: t.UnaryExpression, scope: Scope): StaticValue {
    const value = this.#evaluate(node.argument, scope);
    if (value.kind !== 'literal') return unknown(node, scope, 'is computed');
    if (node.operator === '!')
      return { ...placeOf(node, scope), kind: 'literal', value: !value.value };
    if (node.operator === '-')
      return { ...placeOf(node, scope), kind: 'literal', value: -Number(value.value) };
    return unknown(node, scope, 'is computed');
  }

  #array(node: t.ArrayExpression, scope: Scope): StaticValue {
    const items = node.elements.flatMap((element): StaticValue[] => {
      if (element === null) return [];
      if (element.type !== 'SpreadElement') return [this.#evaluate(element, scope)];
      const spread = this.#evaluate(element.argument, scope);
      return spread.kind === 'array' ? spread.items : [unknownFrom(spread)];
    });
    return { ...placeOf(node, scope), kind: 'array', items };
  }

  #object(node: t.ObjectExpression, scope: Scope): StaticValue {
    const members = new Map<string, StaticValue>();
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        const spread = this.#evaluate(property.argument, scope);
        if (spread.kind === 'object')
          for (const [key, one] of spread.members) members.set(key, one);
        else members.set(`...${members.size}`, unknownFrom(spread));
        continue;
      }
      const key = this.#key(property, scope);
      if (key === undefined)
        members.set(`...${members.size}`, unknown(property, scope, 'has a computed name'));
      else if (property.type === 'ObjectMethod')
        members.set(key, unknown(property, scope, 'is a function'));
      else members.set(key, this.#evaluate(property.value, scope));
    }
    return { ...placeOf(node, scope), kind: 'object', members };
  }

  #key(property: t.ObjectProperty | t.ObjectMethod, scope: Scope): string | undefined {
    const { key } = property;
    if (!property.computed && key.type === 'Identifier') return key.name;
    const value = this.#evaluate(key, scope);
    return value.kind === 'literal' ? String(value.value) : undefined;
  }

  #name(node: t.Identifier, scope: Scope): StaticValue {
    if (node.name === 'undefined')
      return { ...placeOf(node, scope), kind: 'literal', value: undefined };
    const local = scope.names.get(node.name);
    if (local) return local;
    if (node.name === '__dirname') return { ...placeOf(node, scope), kind: 'literal', value: '.' };
    const { module } = scope;
    const constant = module.constants.get(node.name);
    if (constant) return this.#evaluate(constant, { module, names: new Map() });
    const imported = module.imports.get(node.name);
    const file = imported && this.#resolve(module.file, imported.from);
    const value = file ? this.export(file, imported.name) : undefined;
    if (value) return value;
    const why = imported ? `comes from ${imported.from}` : `uses ${node.name}, which is computed`;
    return unknown(node, scope, why);
  }

  #memberOf(node: t.MemberExpression | t.OptionalMemberExpression, scope: Scope): StaticValue {
    // As in a build with an empty environment.
    if (isEnvironment(node.object))
      return { ...placeOf(node, scope), kind: 'literal', value: undefined };
    const object = this.#evaluate(node.object, scope);
    const { property } = node;
    const key =
      !node.computed && property.type === 'Identifier'
        ? property.name
        : this.#evaluate(property, scope);
    const name = typeof key === 'string' ? key : key.kind === 'literal' ? String(key.value) : '';
    const found =
      object.kind === 'object'
        ? object.members.get(name)
        : object.kind === 'array'
          ? object.items[Number(name)]
          : undefined;
    return found ?? unknown(node, scope, 'is computed');
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
    const declared = callee.type === 'Identifier' ? this.#function(callee.name, scope) : undefined;
    if (declared) return this.#returned(declared, node, scope);
    // Helpers such as defineConfig and withMermaid take a configuration and give one back.
    const isHelper = callee.type === 'Identifier' && /^(?:define|with)[A-Z]/.test(callee.name);
    if (isHelper && first) {
      const value = this.#evaluate(first as t.Node, scope);
      if (value.kind === 'object' || value.kind === 'array') return value;
    }
    const call = {
      name: calledName(callee),
      arguments: node.arguments.map(one => this.#evaluate(one as t.Node, scope)),
    };
    const value = unknown(node, scope, `is computed by ${nameOf(callee)}`);
    return value.kind === 'unknown' ? { ...value, call } : value;
  }

  #required(specifier: string, node: t.Node, scope: Scope): StaticValue {
    const file = this.#resolve(scope.module.file, specifier);
    const value = file ? this.export(file, 'default') : undefined;
    return value ?? unknown(node, scope, `comes from ${specifier}`);
  }

  #function(name: string, scope: Scope): { node: FunctionNode; module: Module } | undefined {
    const own = scope.module.constants.get(name);
    if (own) return isFunction(own) ? { node: own, module: scope.module } : undefined;
    const imported = scope.module.imports.get(name);
    const file = imported && this.#resolve(scope.module.file, imported.from);
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
        names.set(parameter.name, this.#evaluate(given as t.Node, scope));
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

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '.tsx'];

interface Scope {
  module: Module;
  /** Parameters of the function that is being read. */
  names: ReadonlyMap<string, StaticValue>;
}

interface Module {
  file: string;
  constants: Map<string, t.Node>;
  imports: Map<string, { from: string; name: string }>;
  exports: Map<string, t.Node>;
  reexports: Map<string, { from: string; name: string }>;
  json?: StaticValue;
  jsonNode?: t.Node;
}

type FunctionNode = t.FunctionDeclaration | t.FunctionExpression | t.ArrowFunctionExpression;

const PARSER: ParserOptions = {
  sourceType: 'unambiguous',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  errorRecovery: true,
  plugins: ['typescript', 'importAttributes'],
};

function parseModule(file: string, text: string): Module | undefined {
  const module: Module = {
    file,
    constants: new Map(),
    imports: new Map(),
    exports: new Map(),
    reexports: new Map(),
  };
  try {
    if (file.endsWith('.json')) {
      const source = `(${text.replace(/^\uFEFF/, ' ')}\n)`;
      const { program } = parse(source, { ...PARSER, startIndex: 0 });
      const [statement] = program.body;
      if (statement?.type === 'ExpressionStatement') module.jsonNode = statement.expression;
      return module;
    }
    const plugins = /\.[jt]sx$|\.[cm]?js$/.test(file)
      ? [...(PARSER.plugins ?? []), 'jsx' as const]
      : (PARSER.plugins ?? []);
    for (const statement of parse(text, { ...PARSER, plugins }).program.body)
      readStatement(statement, module);
    return module;
  } catch {
    return undefined;
  }
}

function readStatement(statement: t.Statement, module: Module): void {
  if (statement.type === 'ImportDeclaration') readImport(statement, module);
  else if (statement.type === 'ExportDefaultDeclaration')
    module.exports.set('default', statement.declaration);
  else if (statement.type === 'ExportAllDeclaration')
    module.reexports.set('*', { from: statement.source.value, name: '*' });
  else if (statement.type === 'ExportNamedDeclaration') readExport(statement, module);
  else if (statement.type === 'ExpressionStatement') readAssignment(statement.expression, module);
  else for (const [name, node] of declared(statement)) module.constants.set(name, node);
}

function readImport(statement: t.ImportDeclaration, module: Module): void {
  const from = statement.source.value;
  for (const specifier of statement.specifiers) {
    const name =
      specifier.type === 'ImportSpecifier'
        ? exportedName(specifier.imported)
        : specifier.type === 'ImportDefaultSpecifier'
          ? 'default'
          : '*';
    module.imports.set(specifier.local.name, { from, name });
  }
}

function readExport(statement: t.ExportNamedDeclaration, module: Module): void {
  for (const [name, node] of statement.declaration ? declared(statement.declaration) : []) {
    module.constants.set(name, node);
    module.exports.set(name, node);
  }
  for (const specifier of statement.specifiers) {
    if (specifier.type !== 'ExportSpecifier') continue;
    const name = exportedName(specifier.exported);
    if (statement.source)
      module.reexports.set(name, { from: statement.source.value, name: specifier.local.name });
    else module.exports.set(name, specifier.local);
  }
}

/** `module.exports = …` and `exports.name = …`. */
function readAssignment(node: t.Expression, module: Module): void {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return;
  const { object, property } = node.left;
  const name = property.type === 'Identifier' ? property.name : '';
  if (object.type === 'Identifier' && object.name === 'module' && name === 'exports')
    module.exports.set('default', node.right);
  else if (object.type === 'Identifier' && object.name === 'exports')
    module.exports.set(name, node.right);
}

function declared(statement: t.Node): [string, t.Node][] {
  if (statement.type === 'FunctionDeclaration' && statement.id)
    return [[statement.id.name, statement]];
  if (statement.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap((one): [string, t.Node][] =>
    one.id.type === 'Identifier' && one.init ? [[one.id.name, one.init]] : [],
  );
}

function isEnvironment(node: t.Node): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'process' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'env'
  );
}

function isFunction(node: t.Node): node is FunctionNode {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

function exportedName(node: t.Identifier | t.StringLiteral): string {
  return node.type === 'Identifier' ? node.name : node.value;
}

/** `resolve` for `require.resolve(…)`. */
function calledName(callee: t.Node): string {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
    ? callee.property.name
    : '';
}

function nameOf(node: t.Node): string {
  return node.type === 'Identifier' ? `${node.name}()` : 'a function call';
}

function placeOf(node: t.Node, scope: Scope) {
  const { file, jsonNode } = scope.module;
  // JSON is read between parentheses.
  const shift = jsonNode ? 1 : 0;
  return {
    file,
    start: (node.start ?? 0) - shift,
    end: (node.end ?? 0) - shift,
    line: node.loc?.start.line ?? 1,
  };
}

function unknown(node: t.Node, scope: Scope, why: string): StaticValue {
  return { ...placeOf(node, scope), kind: 'unknown', why };
}

function unknownFrom(value: StaticValue): StaticValue {
  return value.kind === 'unknown' ? value : { ...value, kind: 'unknown', why: 'is computed' };
}
