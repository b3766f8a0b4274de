import type { Expression, Node, Program } from 'estree';

/**
 * Whether an expression only states values: literals, and lists and objects of them. Comments alone
 * are harmless too.
 */
export function isHarmless(program: Program | null | undefined): boolean {
  if (!program) return true;
  return program.body.every(
    statement => statement.type === 'ExpressionStatement' && isValue(statement.expression),
  );
}

/** Every text in a harmless expression, to be checked like an attribute's value. */
export function textsOf(program: Program | null | undefined): string[] {
  const texts: string[] = [];
  const visit = (node: Node | null): void => {
    if (node?.type === 'Literal' && typeof node.value === 'string') texts.push(node.value);
    else if (node?.type === 'TemplateLiteral')
      texts.push(node.quasis.map(part => part.value.cooked ?? '').join(''));
    else if (node?.type === 'ArrayExpression') node.elements.forEach(visit);
    else if (node?.type === 'ObjectExpression')
      for (const property of node.properties)
        if (property.type === 'Property') visit(property.value);
  };
  for (const statement of program?.body ?? [])
    if (statement.type === 'ExpressionStatement') visit(statement.expression);
  return texts;
}

function isValue(node: Expression | Node): boolean {
  switch (node.type) {
    case 'Literal':
      return !('regex' in node);
    case 'TemplateLiteral':
      return node.expressions.length === 0;
    case 'UnaryExpression':
      return (node.operator === '-' || node.operator === '!') && node.argument.type === 'Literal';
    case 'Identifier':
      return node.name === 'undefined';
    case 'ArrayExpression':
      return node.elements.every(element => element === null || isValue(element));
    case 'ObjectExpression':
      return node.properties.every(
        property =>
          property.type === 'Property' &&
          property.kind === 'init' &&
          !property.method &&
          !property.computed &&
          keyName(property.key) !== '__proto__' &&
          keyName(property.key) !== '__html' &&
          isValue(property.value),
      );
    default:
      return false;
  }
}

function keyName(key: Node): string {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : '';
}
