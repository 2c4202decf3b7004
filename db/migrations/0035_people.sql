-- What a company's owners decide about their own people, and administrators who look at the product as one of them.

-- Whether a company closed the account of one of its people: it may open that one, and no account that the network closed.
alter table "user" add column suspended_by_company boolean not null default false
  check (not suspended_by_company or user_status = 'suspended');

-- An administrator who sees the product as one of its people does: a session that only reads, and in the trail as whom.
alter table session add column impersonator_id bigint references "user" check (impersonator_id <> user_id);
create index session_impersonator_index on session (impersonator_id) where impersonator_id is not null;
alter table audit_entry add column on_behalf_of bigint;

-- Whether the people of a role need a second factor: each decides, they are asked for one, or after some days they can do
-- nothing else first.
create table security_policy (
  role text primary key check (role in ('admin', 'issuer', 'affiliate')),
  second_factor text not null default 'off' check (second_factor in ('off', 'asked', 'required')),
  grace_days integer not null default 14 check (grace_days between 0 and 90),
  -- Since when it is as it is; the days of grace begin then.
  since timestamptz(3) not null default now(),
  changed_by bigint references "user"
);
insert into security_policy (role) values ('admin'), ('issuer'), ('affiliate');
