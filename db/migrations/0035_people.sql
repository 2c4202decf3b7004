-- What a company's owners decide about their own people.

-- Whether a company closed the account of one of its people: it may open that one, and no account that the network closed.
alter table "user" add column suspended_by_company boolean not null default false
  check (not suspended_by_company or user_status = 'suspended');
