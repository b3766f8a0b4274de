import type { Expression, Node } from 'estree';

/** Every text in a harmless expression, to be checked like an attribute's value. */
export function textsOfExpression(expression: Expression): string[] {
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
  visit(expression);
  return texts;
}

/** Whether an expression only states values: literals, and lists and objects of them. */
export function isValue(node: Expression | Node): boolean {
  if (/^JSX/.test(node.type)) return isMarkup(node as unknown as JsxNode);
  switch (node.type) {
    case 'Literal':
      return !('regex' in node);
    case 'TemplateLiteral':
      return node.expressions.length === 0;
    case 'UnaryExpression':
      return (node.operator === '-' || node.operator === '!') && node.argument.type === 'Literal';
    case 'Identifier':
      return node.name === 'undefined';
    case 'SequenceExpression':
      return node.expressions.every(isValue);
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

/** What acorn-jsx makes of markup; its tags are judged by their text. */
interface JsxNode {
  type: string;
  children?: JsxNode[];
  openingElement?: { attributes: JsxNode[] };
  value?: JsxNode | null;
  expression?: Node;
}

function isMarkup({ type, children, openingElement, value, expression }: JsxNode): boolean {
  switch (type) {
    case 'JSXText':
    case 'JSXEmptyExpression':
      return true;
    case 'JSXElement':
    case 'JSXFragment':
      return [...(openingElement?.attributes ?? []), ...(children ?? [])].every(isMarkup);
    case 'JSXAttribute':
      return !value || value.type === 'Literal' || isMarkup(value);
    case 'JSXExpressionContainer':
      return expression === undefined || isValue(expression);
    default:
      return false;
  }
}
