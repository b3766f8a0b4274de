import { parse, type ParserOptions } from '@babel/parser';
import type * as t from '@babel/types';
import type { StaticValue } from './static-value.ts';

/** A module of configuration: what it declares, imports and exports, by name. */
export interface Module {
  file: string;
  constants: Map<string, t.Node>;
  imports: Map<string, { from: string; name: string }>;
  exports: Map<string, t.Node>;
  reexports: Map<string, { from: string; name: string }>;
  json?: StaticValue;
  jsonNode?: t.Node;
}

const PARSER: ParserOptions = {
  sourceType: 'unambiguous',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  errorRecovery: true,
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

export function declared(statement: t.Node): [string, t.Node][] {
  if (statement.type === 'FunctionDeclaration' && statement.id)
    return [[statement.id.name, statement]];
  if (statement.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap((one): [string, t.Node][] =>
    one.id.type === 'Identifier' && one.init ? [[one.id.name, one.init]] : [],
  );
}

function exportedName(node: t.Identifier | t.StringLiteral): string {
  return node.type === 'Identifier' ? node.name : node.value;
}
