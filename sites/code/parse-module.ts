import { parse, type ParserOptions } from '@babel/parser';
import type * as t from '@babel/types';
import { changedConstants } from './changed-constants.ts';
import type { StaticValue } from './static-value.ts';

/** A module of configuration: what it declares, imports and exports, by name. */
export interface Module {
  file: string;
  constants: Map<string, t.Node>;
  imports: Map<string, { from: string; name: string }>;
  exports: Map<string, t.Node>;
  reexports: Map<string, { from: string; name: string }>;
  /** Where the value of a constant is changed after it was declared. */
  changes: Map<string, t.Node>;
  json?: StaticValue;
  jsonNode?: t.Node;
}

const PARSER: ParserOptions = {
  sourceType: 'unambiguous',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  errorRecovery: true,
  // Parentheses belong to what is edited.
  createParenthesizedExpressions: true,
  plugins: ['typescript', 'importAttributes'],
};

/** Undefined if the text cannot be parsed. */
export function parseModule(file: string, text: string): Module | undefined {
  const module: Module = {
    file,
    constants: new Map(),
    imports: new Map(),
    exports: new Map(),
    reexports: new Map(),
    changes: new Map(),
  };
  const program = parseProgram(file, text);
  if (!program) return undefined;
  const [first] = program.body;
  if (file.endsWith('.json')) {
    if (first?.type === 'ExpressionStatement') module.jsonNode = bare(first.expression);
    return module;
  }
  for (const statement of program.body) readStatement(statement, module);
  module.changes = changedConstants(program.body, new Set(module.constants.keys()));
  return module;
}

/**
 * The syntax tree of a file; undefined if it cannot be parsed. JSON is read between parentheses, so
 * that its offsets are one too large.
 */
export function parseProgram(file: string, text: string): t.Program | undefined {
  const isJson = file.endsWith('.json');
  const plugins = /\.[jt]sx$|\.[cm]?js$/.test(file)
    ? [...(PARSER.plugins ?? []), 'jsx' as const]
    : (PARSER.plugins ?? []);
  const source = isJson ? `(${text.replace(/^\uFEFF/, ' ')}\n)` : text;
  try {
    return parse(source, isJson ? PARSER : { ...PARSER, plugins }).program;
  } catch {
    return undefined;
  }
}

function readStatement(statement: t.Statement, module: Module): void {
  if (statement.type === 'ImportDeclaration') readImport(statement, module);
  else if (statement.type === 'ExportDefaultDeclaration')
    module.exports.set('default', bare(statement.declaration));
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
    module.exports.set('default', bare(node.right));
  else if (object.type === 'Identifier' && object.name === 'exports')
    module.exports.set(name, bare(node.right));
}

export function declared(statement: t.Node): [string, t.Node][] {
  if (statement.type === 'FunctionDeclaration' && statement.id)
    return [[statement.id.name, statement]];
  if (statement.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap((one): [string, t.Node][] =>
    one.id.type === 'Identifier' && one.init ? [[one.id.name, bare(one.init)]] : [],
  );
}

/** An expression without the parentheses around it. */
function bare(node: t.Expression): t.Expression;
function bare(node: t.Node): t.Node;
function bare(node: t.Node): t.Node {
  return node.type === 'ParenthesizedExpression' ? bare(node.expression) : node;
}

function exportedName(node: t.Identifier | t.StringLiteral): string {
  return node.type === 'Identifier' ? node.name : node.value;
}
