-- A secret of its own for signatures, and what a company sees of its keys: their last use, and where events came from.

alter table api_key drop constraint api_key_kind_check;
alter table api_key add constraint api_key_kind_check check (kind in ('api', 'postback', 'signing'));
-- Networks, as /24 or /48.
alter table api_key add last_used_from text;
alter table lead_event add sent_from text;
alter table event_receipt add sent_from text;

alter table issuer add signature_required boolean not null default false;
-- How long a signature with the API key counts beside one with the signing secret; without an end while there is none.
alter table issuer add key_signs_until timestamptz(3);
