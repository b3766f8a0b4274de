import { type Html, html } from '../html.ts';
import type { OpenApi, Operation } from './document.ts';
import { curlOf } from './sample.ts';
import { row, schemaView, typeOf } from './schema-view.ts';
import { PAGE } from './style.ts';

const KEYS: Record<string, string> = {
  adminKey: 'Admin API key, as a Bearer token.',
  assistantKey: 'Assistant API key, as a Bearer token.',
};

interface Entry {
  id: string;
  method: string;
  path: string;
  operation: Operation;
}

/** The API's description as a page that reads without scripts. */
export function referencePage(document: OpenApi): Html {
  const groups = (document.tags ?? []).map(tag => ({
    ...tag,
    entries: entriesOf(document, tag.name),
  }));
  const links = groups.map(
    ({ name, entries }) =>
      html`<h2>${titled(name)}</h2><ul>${entries.map(
        ({ id, operation }) => html`<li><a href="#${id}">${operation.summary ?? id}</a></li>`,
      )}</ul>`,
  );
  const sections = groups.map(
    ({ name, description = '', entries }) => html`<section aria-labelledby="${slug(name)}">
<h2 id="${slug(name)}">${titled(name)}</h2><p class="quiet">${description}</p>
${entries.map(entry => operationView(entry, document))}</section>`,
  );
  const { title, description = '' } = document.info;
  const content = html`<div class="layout">
<nav aria-label="Endpoints" tabindex="0">${links}<h2>Types</h2><ul>${schemaNames(document).map(
    name => html`<li><a href="#schema-${name}">${name}</a></li>`,
  )}</ul></nav>
<main id="main"><h1>${title} API</h1><p>${description}</p>
<p>Guides: <a href="/docs">the docs</a>. For programs: the <a href="/openapi.json">OpenAPI document</a>.</p>
${sections}${schemaSection(document)}</main></div>`;
  return PAGE.render({ title: `${title} API`, brand: title, content });
}

function entriesOf({ paths }: OpenApi, tag: string): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags?.includes(tag))
      .map(([method, operation]) => ({ id: slug(`${method} ${path}`), method, path, operation })),
  );
}

function operationView({ id, method, path, operation }: Entry, document: OpenApi): Html {
  const {
    summary = path,
    deprecated,
    security,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  const [scheme] = Object.keys(security?.[0] ?? {});
  const body = requestBody?.content?.['application/json']?.schema;
  const parts = [
    html`<p class="quiet">${scheme === undefined ? 'No key.' : (KEYS[scheme] ?? scheme)}</p>`,
    ...(parameters.length > 0
      ? [html`<h4>Parameters</h4>${parametersView(operation, summary)}`]
      : []),
    ...(body ? [html`<h4>Body</h4>${schemaView(body, `Body of ${summary}`)}`] : []),
    html`<h4>Responses</h4>${responsesView(responses ?? {}, summary)}`,
    html`<h4>Example</h4><pre tabindex="0" role="region" aria-label="Example of ${summary}"><code>${curlOf(
      method,
      path,
      operation,
      document,
    )}</code></pre>`,
  ];
  return html`<article id="${id}" aria-labelledby="${id}-title"><h3 id="${id}-title">${summary}</h3>
<p class="address"><span class="method">${method.toUpperCase()}</span> ${path}${
    deprecated ? html` <span class="old">deprecated</span>` : html``
  }</p>${parts}</article>`;
}

function parametersView({ parameters = [] }: Operation, about: string): Html {
  const rows = parameters.map(each =>
    row(
      each.in === 'path' ? `{${each.name}}` : each.name,
      each.schema ?? {},
      each.required ?? false,
      [each.in === 'path' ? '' : `In the ${each.in}.`, each.description].filter(Boolean).join(' '),
    ),
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="Parameters of ${about}"><table>
<thead><tr><th scope="col">Parameter</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function responsesView(responses: NonNullable<Operation['responses']>, about: string): Html {
  const all = Object.entries(responses);
  const [status, success] = all.find(([code]) => code.startsWith('2')) ?? [];
  const schema = Object.values(success?.content ?? {})[0]?.schema;
  const rows = all.map(([code, { description = '', content = {} }]) => {
    const [type, media] = Object.entries(content)[0] ?? [];
    const what = media?.schema?.$ref ? typeOf(media.schema) : html`${type ?? ''}`;
    const text = description === 'Default Response' ? 'Success' : description;
    return html`<tr><td><code>${code}</code></td><td>${text}</td><td class="type">${what}</td></tr>`;
  });
  const members =
    schema?.$ref || !schema
      ? html``
      : html`<h4>Body of ${status ?? ''}</h4>${schemaView(schema, `Answer of ${about}`)}`;
  return html`<div class="wide" tabindex="0" role="region" aria-label="Responses of ${about}"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Body</th></tr></thead>
<tbody>${rows}</tbody></table></div>${members}`;
}

function schemaNames({ components }: OpenApi): string[] {
  return Object.keys(components?.schemas ?? {});
}

function schemaSection({ components }: OpenApi): Html {
  const all = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) =>
      html`<article id="schema-${name}"><h3>${name}</h3>${schemaView(
        schema,
        `Members of ${name}`,
      )}</article>`,
  );
  return html`<section aria-labelledby="types"><h2 id="types">Types</h2>${all}</section>`;
}

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
