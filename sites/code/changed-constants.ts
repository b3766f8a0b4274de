import type * as t from '@babel/types';

/** Methods that change the list they are called on. */
const CHANGING = new Set(['push', 'unshift', 'splice', 'pop', 'shift', 'sort', 'reverse', 'fill']);

/**
 * The constants that a module's top level changes after it declared them, with the first place:
 * `list.push(…)`, `config.sidebar = …`, `Object.assign(config, …)`, in loops and callbacks as well.
 * Functions that are declared are left out: they may never be called.
 */
export function changedConstants(
  body: readonly t.Statement[],
  names: ReadonlySet<string>,
): Map<string, t.Node> {
  const changes = new Map<string, t.Node>();
  const open: t.Node[] = body.filter(
    statement => !/^(?:Import|Function|TS|Export\w*)/.test(statement.type),
  );
  for (let node = open.pop(); node; node = open.pop()) {
    const name = changedName(node);
    if (name !== undefined && names.has(name)) changes.set(name, node);
    open.push(...childrenOf(node));
  }
  return changes;
}

/** The name at the start of what a node changes. */
function changedName(node: t.Node): string | undefined {
  if (node.type === 'AssignmentExpression' || node.type === 'UpdateExpression')
    return firstName(node.type === 'AssignmentExpression' ? node.left : node.argument);
  if (node.type === 'UnaryExpression')
    return node.operator === 'delete' ? firstName(node.argument) : undefined;
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  const { object, property } = node.callee;
  const method = property.type === 'Identifier' ? property.name : '';
  const [first] = node.arguments;
  if (method === 'assign' && object.type === 'Identifier' && object.name === 'Object')
    return first && firstName(first);
  return CHANGING.has(method) ? firstName(object) : undefined;
}

/** `config` in `config.themeConfig.sidebar[0]`. */
function firstName(node: t.Node): string | undefined {
  let inner = node;
  while (inner.type === 'MemberExpression' || inner.type === 'TSNonNullExpression')
    inner = inner.type === 'MemberExpression' ? inner.object : inner.expression;
  return inner.type === 'Identifier' ? inner.name : undefined;
}

export function childrenOf(node: t.Node): t.Node[] {
  return Object.entries(node).flatMap(([name, value]): t.Node[] =>
    /^(?:loc|extra|\w*[cC]omments)$/.test(name) ? [] : [value].flat().filter(isNode),
  );
}

function isNode(value: unknown): value is t.Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
