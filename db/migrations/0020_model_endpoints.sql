-- What a probe found a model endpoint to support, by address (without credentials) and model id.
create table model_endpoints (
  endpoint text not null,
  model text not null,
  features text[] not null,
  probed_at timestamptz not null default now(),
  primary key (endpoint, model)
);
