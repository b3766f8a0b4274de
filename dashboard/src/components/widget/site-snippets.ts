/** An attribute of the tag, and its value. */
export type Attributes = readonly (readonly [name: string, value: string])[];

/** The tag, an attribute per line. */
export function tagOf(attributes: Attributes): string {
  const written = attributes.map(
    ([name, value]) => `\n  ${name}="${value.replaceAll('"', '&quot;')}"`,
  );
  return `<script async${written.join('')}></script>`;
}

const quoted = (text: string) => JSON.stringify(text);
const members = (attributes: Attributes, separator: string, indent: string) =>
  attributes
    .map(([name, value]) => `${indent}${quoted(name)}${separator}${quoted(value)},`)
    .join('\n');

/** Where each generator wants the tag: a file, and what to add to it. */
export const SITES = {
  html: {
    name: 'HTML',
    file: 'Any page, before </body>',
    text: tagOf,
  },
  docusaurus: {
    name: 'Docusaurus',
    file: 'docusaurus.config.js',
    text: (attributes: Attributes) =>
      `scripts: [\n  {\n    async: true,\n${members(attributes, ': ', '    ')}\n  },\n],`,
  },
  mkdocs: {
    name: 'MkDocs',
    file: 'overrides/main.html, with custom_dir: overrides below theme: in mkdocs.yml',
    text: (attributes: Attributes) =>
      `{% extends "base.html" %}\n{% block scripts %}\n{{ super() }}\n${tagOf(attributes)}\n{% endblock %}`,
  },
  vitepress: {
    name: 'VitePress',
    file: '.vitepress/config.ts',
    text: (attributes: Attributes) =>
      `head: [\n  ['script', {\n    async: '',\n${members(attributes, ': ', '    ')}\n  }],\n],`,
  },
  starlight: {
    name: 'Starlight',
    file: 'astro.config.mjs, in starlight({ … })',
    text: (attributes: Attributes) =>
      `head: [\n  {\n    tag: 'script',\n    attrs: {\n      async: true,\n${members(attributes, ': ', '      ')}\n    },\n  },\n],`,
  },
  'docs.json': {
    name: 'docs.json',
    file: 'A new file docent.js in the docs folder',
    text: (attributes: Attributes) =>
      `const script = document.createElement('script');\nconst attributes = {\n${members(attributes, ': ', '  ')}\n};\n` +
      `for (const name in attributes) script.setAttribute(name, attributes[name]);\ndocument.head.append(script);`,
  },
  hugo: {
    name: 'Hugo',
    file: 'The partial that your theme puts before </body>: layouts/partials/hooks/body-end.html (Docsy), layouts/partials/custom/head-end.html (Hextra)',
    text: tagOf,
  },
  sphinx: {
    name: 'Sphinx',
    file: 'conf.py',
    text: (attributes: Attributes) => {
      const [[, source], ...rest] = attributes as [readonly [string, string], ...Attributes];
      return `html_js_files = [\n    (${quoted(source)}, {\n        "async": "async",\n${members(rest, ': ', '        ')}\n    }),\n]`;
    },
  },
} as const;
export type SiteName = keyof typeof SITES;
