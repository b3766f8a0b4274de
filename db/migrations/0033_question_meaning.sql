-- Where embeddings are on: what the first question of a group means, as in search_vectors.
alter table question_groups add column vector bytea;
