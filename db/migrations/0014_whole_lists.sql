-- What is not in the list of a published site is not published. Early builds had the column in 0007.
alter table published_sites add column if not exists is_whole boolean not null default false;
