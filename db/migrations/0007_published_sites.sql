-- # What a project's site publishes, and what follows from it

create table published_sites (
  project_id    text primary key references projects on delete cascade,
  site_url      text not null,                  -- that was asked; another one is asked anew
  source        text,                           -- sitemap, llms.txt or links; null: nothing was found
  failure       text,                           -- why the newest attempt failed, for people
  commit        text,                           -- of the index, when it was asked
  commit_since  timestamptz not null default now(),
  checked_at    timestamptz not null default now(),
  addresses     jsonb,                          -- of the last index: the learned rule, and by file what rules get wrong
  wanted        text[] not null default '{}'    -- paths of pages that must be read to know more
);

-- Sitemaps, llms.txt, or pages with links: asked again with their validators.
create table published_documents (
  project_id     text not null references published_sites on delete cascade,
  url            text not null,
  etag           text,
  last_modified  text,
  found          jsonb not null,                -- pages: [path, title]; further: addresses of documents
  primary key (project_id, url)
);

-- The main parts of pages whose files are not read, or whose titles say which file they are.
create table published_pages (
  project_id     text not null references published_sites on delete cascade,
  path           text not null,                 -- from the top of the host
  title          text not null,                 -- '' if it cannot be read
  text           text not null,                 -- Markdown
  headings       jsonb not null,                -- text, depth, id
  digest         text not null,                 -- of text and headings
  etag           text,
  last_modified  text,
  primary key (project_id, path)
);
