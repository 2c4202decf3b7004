import { sql } from 'kysely'

/** From then on a person without a factor does nothing else: new people have the same days as those who were there. */
export const factorDue = sql<string>`greatest(security_policy.since, "user".created_at)
  + make_interval(days => security_policy.grace_days)`

export const hasFactor = sql<boolean>`exists (select from second_factor
  where second_factor.user_id = "user".id and second_factor.confirmed_at is not null)`
