import type { Rights } from '#contract/auth.ts'
import { fulfils } from '#contract/duties.ts'
import type { Config } from '../config.ts'
import type { Viewer } from '../viewer.ts'

export const rightsOf = ({ role, duty }: Viewer, { selfServicePeople }: Config): Rights => ({
  duty,
  manages_people: role !== 'admin' && selfServicePeople && fulfils(duty, 'people'),
})
