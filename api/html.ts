/**
 * Markup that is safe to send: made by the `html` template only, which escapes every text put into
 * it.
 */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Value = string | number | Html | Html[];

export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(markupOf)));
}

function markupOf(value: Value): string {
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.map(one => one.markup).join('');
  return String(value).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
