-- A password that somebody else typed is known to two people. Whether its owner has to choose another one first.

-- Somebody else typed the one that opens the account. Of who was there before nobody noted it: theirs count as their own.
alter table "user" add column password_given boolean not null default false;

-- Whether the people of a role replace such a password before anything else.
alter table security_policy add column replaces_given boolean not null default false;
