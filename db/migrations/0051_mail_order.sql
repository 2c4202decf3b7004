-- Links go before notices and digests, of which a morning may have thousands.
drop index mail_due_index;
create index mail_due_index on mail ((kind in ('notice', 'digest')), next_at, id) where state = 'waiting';
