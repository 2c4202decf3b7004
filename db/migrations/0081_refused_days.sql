-- On which day it was told last that an issuer's events are refused in numbers: once a day.
create table refused_day (
  issuer_id bigint primary key references issuer,
  day date not null
);
