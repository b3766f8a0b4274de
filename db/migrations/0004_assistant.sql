-- The assistant: conversations, what was asked, and what the three limits have counted.

create table threads (
  id          text primary key,                         -- unguessable: 80 random bits
  project_id  text not null references projects on delete cascade,
  fp          text not null,                            -- who began it; another fp does not find it, unless it is "anonymous"
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);
create index on threads (project_id, updated_at desc);
create index on threads (updated_at);

create table thread_messages (
  thread_id   text not null references threads on delete cascade,
  seq         bigint generated always as identity,
  message_id  text,                                     -- the caller's, or ours for an answer; callers repeat or omit theirs
  role        text not null check (role in ('user', 'assistant')),
  text        text not null,
  sources     jsonb not null default '[]',              -- of an answer: [{id, url, title}]
  created_at  timestamptz not null default now(),
  primary key (thread_id, seq)
);

-- Every question and whether the docs held its answer. What readers ask in vain is what to write next.
create table questions (
  id          text primary key,
  project_id  text not null references projects on delete cascade,
  thread_id   text references threads on delete set null,
  question    text not null,
  answered    boolean not null,
  created_at  timestamptz not null default now()
);
create index on questions (project_id, answered, created_at desc);
create index on questions (created_at);

-- Uses in fixed UTC windows. Rows are few, hot and short-lived: room on the page keeps updates in place.
create table limit_counts (
  scope       text not null check (scope in ('address', 'key', 'organization')),
  id          text not null,
  window_start timestamptz not null,
  n           integer not null,
  primary key (scope, id, window_start)
) with (fillfactor = 50);
create index on limit_counts (window_start);

-- Takes one use of each limit, or of none: returns a row per limit, `violated` on the first that is used up.
-- Scopes are given in the same order by every caller, hottest last, so that two callers never wait for each
-- other in a circle. A full window is refused before anything is written. Windows are by this server's clock.
create function take_limits(scopes text[], ids text[], units text[], maxima integer[])
returns table (scope text, used integer, resets_at timestamptz, window_seconds integer, violated boolean)
language plpgsql as $$
declare
  starts timestamptz[] := '{}';
  counts integer[] := '{}';
  full_at integer;
  n_now integer;
begin
  for i in 1 .. cardinality(scopes) loop
    starts[i] := date_trunc(units[i], clock_timestamp(), 'UTC');
    select c.n into n_now from limit_counts c where c.scope = scopes[i] and c.id = ids[i] and c.window_start = starts[i];
    counts[i] := coalesce(n_now, 0);
    if counts[i] >= maxima[i] and full_at is null then full_at := i; end if;
  end loop;

  if full_at is null then
    for i in 1 .. cardinality(scopes) loop
      insert into limit_counts as c values (scopes[i], ids[i], starts[i], 1)
        on conflict on constraint limit_counts_pkey do update set n = c.n + 1 where c.n < maxima[i]
        returning c.n into n_now;
      if not found then                                 -- filled up since it was read: give back what was taken
        full_at := i;
        counts[i] := maxima[i];
        for j in 1 .. i - 1 loop
          update limit_counts c set n = c.n - 1
            where c.scope = scopes[j] and c.id = ids[j] and c.window_start = starts[j];
          counts[j] := counts[j] - 1;
        end loop;
        exit;
      end if;
      counts[i] := n_now;
    end loop;
  end if;

  for i in 1 .. cardinality(scopes) loop
    scope := scopes[i];
    used := counts[i];
    resets_at := (starts[i] at time zone 'UTC' + ('1 ' || units[i])::interval) at time zone 'UTC';
    window_seconds := extract(epoch from resets_at - starts[i]);
    violated := full_at is not distinct from i;
    return next;
  end loop;
end $$;

-- What a site's owner tells the assistant: ASSISTANT.md of the base ref, as of the last index.
create table site_instructions (
  project_id  text primary key references projects on delete cascade,
  text        text not null
);
