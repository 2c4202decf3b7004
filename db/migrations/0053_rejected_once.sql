-- A refused event that is sent again is kept once, from its last time. Those from before this have no fingerprint.

alter table rejected_postback add column fingerprint bytea;
create unique index rejected_postback_fingerprint_key on rejected_postback (issuer_id, fingerprint);
