import type { User } from '#contract/users.ts'

export const isInvitation = ({ last_login }: Pick<User, 'last_login'>): boolean => last_login === null
