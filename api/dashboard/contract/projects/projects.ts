/** Projects, their index and their keys: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { SITE_KINDS } from '../../../../sites/kinds/registry.ts';
import { nonBlank, worded } from '../../../../shared/text/worded.ts';
import { nullable, Time } from '../common.ts';
import { ContextRepositories } from './context-repositories.ts';
import { JobSettings, JobSettingsChange } from './job-settings.ts';
import { Source } from './source.ts';

const Name = nonBlank({ minLength: 1, maxLength: 100 });
const Domain = worded('^[a-z0-9]([a-z0-9-]*[a-z0-9])?$', ': small letters, digits and - within', {
  minLength: 1,
  maxLength: 63,
});
export const Branch = Type.String({ minLength: 1, maxLength: 200 });
/** '' is the root; no `..`. */
export const Folder = worded(
  '^(?!.*(^|/)\\.\\.?(/|$))[^\\\\]*$',
  ': a path with /, without . and ..',
  {
    maxLength: 500,
  },
);
export const SiteUrl = worded('^https?://[^\\s]+$', ' that begins with https:// or http://', {
  maxLength: 500,
});

/** What addresses of pages begin with: `/`, or a path such as `/docs`. */
export const BasePath = worded('^/([^\\s?#\\\\]*[^\\s?#\\\\/])?$', ': a path such as /docs, or /', {
  maxLength: 200,
});
export const Kind = Type.Union(SITE_KINDS.map(kind => Type.Literal(kind)));

/** Repositories of the built-in host that a project of this organization may use. */
export const RepositoryList = Type.Object({
  /** This process serves the built-in host; without it nothing can be copied there. */
  available: Type.Boolean(),
  /** Hosts on which repositories are used where they are. */
  hosts: Type.Array(
    Type.Object({
      kind: Type.String(),
      name: Type.String(),
      /** The operator has set credentials. */
      available: Type.Boolean(),
      /** Organizations connect accounts of theirs, and choose from a list. */
      hasConnectPage: Type.Boolean(),
    }),
  ),
  repositories: Type.Array(
    Type.Object({
      name: Type.String(),
      defaultBranch: Type.String(),
      branches: Type.Array(Type.String()),
      public: Type.Boolean(),
    }),
  ),
});
export type RepositoryList = Static<typeof RepositoryList>;

export const NewProject = Type.Object({
  name: Name,
  domain: Domain,
  source: Source,
  baseRef: Type.Optional(Branch),
  /** Detected if left out. */
  docsFolder: Type.Optional(Folder),
  /** Detected if left out. */
  siteKind: Type.Optional(Kind),
  siteUrl: Type.Optional(SiteUrl),
  /** As the site's configuration says, if left out. */
  basePath: Type.Optional(BasePath),
  /** Of an import; an existing repository stays as it is. */
  public: Type.Optional(Type.Boolean()),
  contextRepositories: Type.Optional(ContextRepositories),
});
export type NewProject = Static<typeof NewProject>;

export const ProjectChange = Type.Object({
  name: Type.Optional(Name),
  baseRef: Type.Optional(Branch),
  docsFolder: Type.Optional(
    Type.Union([Folder, Type.Null()], { description: 'Null: found by the site’s files.' }),
  ),
  siteKind: Type.Optional(
    Type.Union([Kind, Type.Null()], { description: 'Null: found by the site’s files.' }),
  ),
  siteUrl: Type.Optional(
    Type.Union([SiteUrl, Type.Null()], { description: 'Null: links are relative.' }),
  ),
  basePath: Type.Optional(
    Type.Union([BasePath, Type.Null()], { description: 'Null: as the configuration says.' }),
  ),
  public: Type.Optional(Type.Boolean()),
  ...JobSettingsChange,
});
export type ProjectChange = Static<typeof ProjectChange>;

export const Project = Type.Object({
  id: Type.String(),
  organization: Type.String({ description: 'Its slug.' }),
  name: Type.String(),
  domain: Type.String(),
  siteUrl: nullable(Type.String()),
  host: Type.String(),
  hostName: Type.String(),
  isCopy: Type.Boolean({ description: 'Docent keeps the repository, which may be public.' }),
  needsCredentials: Type.Boolean({ description: 'Access to the repository can stop working.' }),
  repository: Type.String(),
  repositoryUrl: Type.String(),
  baseRef: Type.String(),
  docsFolder: Type.String(),
  docsFolderDetected: Type.Boolean({ description: 'Found by the site’s files.' }),
  siteKind: nullable(Kind),
  basePath: nullable(Type.String()),
  public: Type.Boolean(),
  ...JobSettings,
  createdAt: Time,
  activeJobs: Type.Integer(),
  openPullRequests: Type.Integer({ description: 'Of the built-in host.' }),
  unanswered: Type.Integer({
    description: 'Questions of the last 30 days that the docs do not answer.',
  }),
});
export type Project = Static<typeof Project>;

/** What was found of a site; `SiteFacts` of shared/search. */
export const Site = Type.Object({
  kind: Kind,
  kindTitle: Type.String(),
  docsFolder: Type.String(),
  basePath: Type.String(),
  address: nullable(Type.String()),
  pages: Type.Integer(),
  apiPages: Type.Integer({ description: 'Those that are made from API descriptions.' }),
  leftOut: Type.Integer({ description: 'Pages that the index leaves out.' }),
  navigation: nullable(Type.Integer({ description: 'Its entries; null: by folder.' })),
  languages: Type.Array(Type.String()),
  defaultLanguage: nullable(Type.String()),
  versions: Type.Array(Type.String()),
  examples: Type.Array(Type.Object({ file: Type.String(), url: Type.String() })),
  unread: Type.Array(
    Type.Object({
      file: Type.String(),
      line: nullable(Type.Integer()),
      message: Type.String(),
    }),
  ),
  unreadPages: nullable(Type.String()),
});
export type Site = Static<typeof Site>;

export const IndexStatus = Type.Object({
  /** Null until the site was indexed once. */
  built: nullable(
    Type.Object({
      commit: Type.String(),
      pages: Type.Integer(),
      sections: Type.Integer(),
      builtAt: Time,
      complete: Type.Boolean({ description: 'False while the first index grows.' }),
    }),
  ),
  /** What was found of the site; null until it was read once. */
  site: nullable(Site),
  /** What the newest look at the published site found; null: none was taken. */
  published: nullable(
    Type.Object({
      /** Where the pages are, as a sentence; null: nothing was compared yet. */
      says: nullable(Type.String()),
      /** How its addresses were found. */
      source: nullable(
        Type.Union([Type.Literal('sitemap'), Type.Literal('llms.txt'), Type.Literal('links')]),
      ),
      /** Why the look failed, as a sentence; null: it did not. */
      failure: nullable(Type.String()),
      checkedAt: Time,
    }),
  ),
  /** Of the run that continues, once it is known; null otherwise. */
  progress: nullable(Type.Object({ pagesRead: Type.Integer(), pagesTotal: Type.Integer() })),
  /** Null when Temporal does not answer. `failed`: the last run. */
  run: nullable(
    Type.Union([
      Type.Literal('none'),
      Type.Literal('running'),
      Type.Literal('completed'),
      Type.Literal('failed'),
    ]),
  ),
  /** Why the last attempt failed, as a sentence for people; null: it did not. */
  failure: nullable(Type.String()),
  intervalMinutes: Type.Integer(),
});
export type IndexStatus = Static<typeof IndexStatus>;

const KeyKind = Type.Union([Type.Literal('admin'), Type.Literal('assistant')]);
export const Key = Type.Object({
  id: Type.String(),
  kind: KeyKind,
  name: Type.String(),
  /** Prefix, first and last characters. */
  start: Type.String(),
  state: Type.Union([Type.Literal('valid'), Type.Literal('expired'), Type.Literal('revoked')]),
  createdAt: Time,
  expiresAt: nullable(Time),
  revokedAt: nullable(Time),
  lastUsedAt: nullable(Time),
  allowedOrigins: Type.Array(Type.String()),
  allowedAddresses: Type.Array(Type.String()),
  /** Assistant keys: answers this month, which the limit counts. Admin keys: jobs this month. */
  usesThisMonth: Type.Integer(),
  /** Of assistant keys; null for admin keys. */
  monthlyLimit: nullable(Type.Integer()),
});
export type Key = Static<typeof Key>;
/** Keys of the project's assistant and the organization's admin keys, newest first. */
export const KeyList = Type.Object({ keys: Type.Array(Key) });
export type KeyList = Static<typeof KeyList>;
export const NewKey = Type.Object({
  kind: KeyKind,
  name: Name,
  /** Left out: until it is revoked. */
  expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650 })),
  /** Such as `https://docs.example.com` or `https://*.example.com`; none: any. */
  allowedOrigins: Type.Optional(
    Type.Array(
      worded(
        '^https?://(\\*\\.)?[A-Za-z0-9.-]+(:[0-9]{1,5})?$',
        ': an origin such as https://docs.example.com or https://*.example.com',
        { maxLength: 300 },
      ),
      { maxItems: 50 },
    ),
  ),
  /** Addresses or ranges such as `10.0.0.0/8`; none: any. */
  allowedAddresses: Type.Optional(
    Type.Array(
      worded('^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$', ': an address, or a range such as 10.0.0.0/8', {
        maxLength: 50,
      }),
      { maxItems: 50 },
    ),
  ),
  monthlyLimit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000_000_000 })),
});
export type NewKey = Static<typeof NewKey>;
/** `token` is shown once. */
export const KeyMade = Type.Object({ token: Type.String(), key: Key });
export type KeyMade = Static<typeof KeyMade>;
/** The old key continues to work for so many hours. */
export const RotateKey = Type.Object({
  graceHours: Type.Integer({ minimum: 0, maximum: 720, default: 24 }),
});
export type RotateKey = Static<typeof RotateKey>;
