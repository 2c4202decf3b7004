-- What a company's owners decide about their own people, and administrators who look at the product as one of them.

-- Whether a company closed the account of one of its people: it may open that one, and no account that the network closed.
alter table "user" add column suspended_by_company boolean not null default false
  check (not suspended_by_company or user_status = 'suspended');

-- An administrator who sees the product as one of its people does: a session that only reads, and in the trail as whom.
alter table session add column impersonator_id bigint references "user" check (impersonator_id <> user_id);
create index session_impersonator_index on session (impersonator_id) where impersonator_id is not null;
alter table audit_entry add column on_behalf_of bigint;
