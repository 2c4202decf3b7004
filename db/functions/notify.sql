-- Triggers of changed rows: they set updated_at and notify the caches.

create or replace function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := greatest(now(), old.updated_at + interval '1 millisecond');
  return new;
end $$;

/* Notifies the cached link targets. */
create or replace function notify_link_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('link_change', tg_table_name);
  return null;
end $$;

/* Notifies the caches of users and keys. */
create or replace function notify_viewer_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('viewer_change', tg_table_name);
  return null;
end $$;

do $$
declare t text;
begin
  foreach t in array array['affiliate', 'issuer', 'relationship', 'product', 'event_step', 'commission', 'payment', 'commission_entry', 'dashboard'] loop
    execute format('create or replace trigger touch before update on %I for each row execute function touch_updated_at()', t);
  end loop;
  foreach t in array array['affiliate', 'issuer', 'relationship', 'product'] loop
    execute format('create or replace trigger link_change after insert or update or delete on %I for each statement execute function notify_link_change()', t);
  end loop;
  foreach t in array array['affiliate', 'issuer'] loop
    execute format('create or replace trigger viewer_change after update or delete on %I for each statement execute function notify_viewer_change()', t);
  end loop;
end $$;
/* A sign-in writes last_login alone, which is neither an edit of the user nor a reason to clear the caches; no form that
   may be open meanwhile holds the password. */
create or replace trigger touch before update of email, first_name, last_name, role, duty, affiliate_id, issuer_id, user_status, archived_at
  on "user" for each row execute function touch_updated_at();
create or replace trigger viewer_change after update of email, first_name, last_name, password_given, role, duty, affiliate_id, issuer_id, user_status, archived_at
  on "user" for each statement execute function notify_viewer_change();
/* What a session may do matters to caches of viewers; every refresh also updates one. */
create or replace trigger viewer_change after update of revoked_at, elevated_until on session
  for each statement execute function notify_viewer_change();
/* Who has no second factor may be kept from everything else; a sign-in that uses one changes nothing of that. */
create or replace trigger viewer_change after insert or delete or update of confirmed_at on second_factor
  for each statement execute function notify_viewer_change();
create or replace trigger viewer_change after update on security_policy
  for each statement execute function notify_viewer_change();
/* A key that ends must end in every copy at once; its last use matters to none. */
create or replace trigger viewer_change after update of expires_at on api_key
  for each statement execute function notify_viewer_change();
create or replace trigger viewer_change after update of revoked_at on network_key
  for each statement execute function notify_viewer_change();
