-- A rate may begin later. What is paid now is told by the rates alone, and no longer by the commission too.
drop trigger if exists note_rate on commission;
drop function if exists note_rate();
alter table commission drop column payout;
