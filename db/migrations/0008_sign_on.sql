-- Sign-in through an OpenID Connect provider. Words: docs/architecture.md (glossary).

-- Somebody who has only ever come in that way has no password.
alter table users alter column password_hash drop not null;

-- Who a provider says that somebody is. A subject is never given to another person; an e-mail address may be.
create table user_identities (
  issuer      text not null,
  subject     text not null,
  user_id     text not null references users on delete cascade,
  created_at  timestamptz not null default now(),
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- Sign-ins under way, each good once and bound to one browser by its cookie.
create table sign_on_attempts (
  hash        bytea primary key,                        -- SHA-256 of the cookie's 256 random bits
  identity    jsonb,                                    -- once the provider has said it, where a password must still confirm it
  expires_at  timestamptz not null
);
