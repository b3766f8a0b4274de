import { Html, html } from '../html.ts';
import type { Schema } from './document.ts';

/** Members of members, and no further: a reader who needs more reads the document. */
const MAX_DEPTH = 4;

/** A schema as a table of its members; what is not an object is described in a sentence. */
export function schemaView(schema: Schema, about: string): Html {
  const rows = membersOf(schema, '', 0);
  if (rows.length === 0) return html`<p class="type">${typeOf(schema)}</p>`;
  const intro = schema.type === 'array' ? html`<p>A list. Each item has:</p>` : html``;
  return html`${intro}<div class="wide" tabindex="0" role="region" aria-label="${about}"><table>
<thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function membersOf(schema: Schema, prefix: string, depth: number): Html[] {
  if (depth > MAX_DEPTH) return [];
  const inner = schema.items ?? choiceOf(schema) ?? schema;
  const list = inner === schema.items ? membersOf(inner, prefix, depth + 1) : undefined;
  if (list) return list;
  return Object.entries(inner.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const required = inner.required?.includes(name) ?? false;
    const isList = member.items ?? choiceOf(member)?.items;
    return [
      row(path, member, required),
      ...membersOf(member, isList ? `${path}[]` : path, depth + 1),
    ];
  });
}

/** The one alternative to null, where a member has no other. */
function choiceOf({ anyOf }: Schema): Schema | undefined {
  const others = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return others.length === 1 ? others[0] : undefined;
}

export function row(name: string, schema: Schema, required: boolean, description = ''): Html {
  const meaning = [description || schema.description, fallback(schema)].filter(Boolean).join(' ');
  return html`<tr><td><code>${name}</code>${required ? html` <span class="must">required</span>` : html``}</td>
<td class="type">${typeOf(schema)}</td><td>${meaning}</td></tr>`;
}

function fallback({ default: value }: Schema): string {
  return value === undefined ? '' : `Default: ${JSON.stringify(value)}.`;
}

/** The type with its limits, in words. */
export function typeOf(schema: Schema): Html {
  const { $ref, anyOf, enum: values, type, items, format } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (values) return joined(values.map(value => html`<code>${JSON.stringify(value)}</code>`));
  if (anyOf) return joined(anyOf.map(typeOf));
  if (items) return html`list of ${typeOf(items)}${range(schema, 'Items', 'items')}`;
  const names = [type ?? 'any'].flat().join(' or ');
  const kind = format === undefined ? names : `${names} (${format})`;
  return html`${kind}${range(schema, 'Length', 'characters')}${range(schema, 'imum', '')}`;
}

function joined(parts: Html[]): Html {
  return new Html(parts.map(({ markup }) => markup).join(' or '));
}

function range(schema: Schema, unit: 'Length' | 'Items' | 'imum', word: string): string {
  const [low, high] = [schema[`min${unit}`], schema[`max${unit}`]];
  const end = word === '' ? '' : ` ${word}`;
  if (low !== undefined && high !== undefined) return `, ${low} to ${high}${end}`;
  if (high !== undefined) return `, at most ${high}${end}`;
  return low === undefined ? '' : `, at least ${low}${end}`;
}
