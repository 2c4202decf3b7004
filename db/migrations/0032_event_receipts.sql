-- How an event came: by which way, with which key, signed or not. Null for those of before.
alter table lead_event add receipt jsonb;
