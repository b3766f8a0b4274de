/** What each rule reports, as tools show it. The prose rules of Vale come from `docent check`. */
export const RULES: Record<string, string> = {
  link: 'A link, image or component leads to a file or page that does not exist.',
  anchor: 'A link names a heading or id that the page does not have.',
  navigation: 'A navigation entry has no page, or names an API operation that does not exist.',
  redirect: 'A redirect leads to a page that does not exist.',
  'front-matter': 'The front matter of a page cannot be parsed.',
  configuration: 'A configuration file cannot be parsed.',
  orphan: 'No navigation entry leads to a page.',
  external: 'A link to another site leads nowhere.',
  prose: 'A rule of the style in .vale.ini is broken.',
};
