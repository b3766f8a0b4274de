/** How a site is built, where its addresses are not those of its files. */
export const GENERATORS =
  '**/{mkdocs.{yml,yaml},{astro,docusaurus}.config.*,hugo.{toml,yaml,yml},book.toml,conf.py}';
export const VITEPRESS = '**/.vitepress/config.*';
