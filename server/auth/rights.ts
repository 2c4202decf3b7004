import type { Rights } from '#contract/auth.ts'
import { fulfils } from '#contract/duties.ts'
import type { Db } from '#db/connect.ts'
import type { Config } from '../config.ts'
import { missingFactor } from '../second-factors/policy.ts'
import { readsOnlyOf, type Viewer } from '../viewer.ts'

export const readRights = async (db: Db, viewer: Viewer, { selfServicePeople }: Config): Promise<Rights> => ({
  duty: viewer.duty,
  reads_only: readsOnlyOf(viewer),
  manages_people: viewer.role !== 'admin' && selfServicePeople && fulfils(viewer.duty, 'people'),
  ...(await missingFactor(db, viewer)),
  must_choose_password: viewer.hasGivenPassword,
})
