-- What was told of a person is erased with the rest, and what is sent again waits anew.

alter table delivery
  -- Its lead was erased: what an attempt of it sends and is answered is not kept.
  add column is_erased boolean not null default false,
  -- Since when, for the days after which it is given up: since it was made, or a person had it sent again.
  add column waits_since timestamptz(3) not null default now();
update delivery set waits_since = created_at where state = 'waiting';

create index delivery_tracking_index on delivery (tracking_id) where tracking_id is not null;
