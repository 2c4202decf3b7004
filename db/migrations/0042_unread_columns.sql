-- Columns that nothing read go.

-- The text of a reason that the list does not have goes into the event's data: there it is shown, told to who asks for
-- what is held of a person, and erased. What was to be erased by now goes at once.
update lead_event as event set event_data = jsonb_build_object('reason_code', reason_text) || case jsonb_typeof(event_data)
    when 'object' then event_data
    when 'string' then jsonb_build_object('note', event_data)
    else '{}'
  end
where reason_text is not null
  and id > (select through::bigint from retention where task = 'lead_event.event_data')
  and not exists (
    select from audit_entry
    where action = 'privacy_erase' and entity = 'lead' and entity_id = lead_id and audit_entry.created_at >= event.created_at
  );
alter table lead_event drop column reason_text;

alter table import drop column delimiter;

alter table result_change drop column lead_id;
