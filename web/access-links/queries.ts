import { queryOptions } from '@tanstack/react-query'
import { type AccessLink, accessLinks, FORGOT_ANSWER } from '#contract/access-links.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'

const requests = [...keys.users, 'link-requests'] as const

export const linkRequestsQuery = () =>
  queryOptions({
    queryKey: requests,
    queryFn: ({ signal }) => call(accessLinks.requests, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['access-link', token],
    queryFn: ({ signal }) => call(accessLinks.open, { body: { token }, signal }),
    staleTime: 0,
    gcTime: 0,
    meta: { quiet: true },
  })

export const useGiveLink = () =>
  useSave({
    save: (user: { id: number; email: string }) => call(accessLinks.create, { body: { user_id: user.id } }),
    success: (link, { email }) => sentText(link, email),
    refreshes: [requests, keys.mail],
  })

/** Nothing where the link is shown: the dialog says it. */
export const sentText = ({ delivered, purpose }: AccessLink, email: string): string | undefined => {
  if (delivered === 'shown') return undefined
  return purpose === 'invite' ? `Invitación enviada a ${email}` : `Enlace enviado a ${email}`
}

export const useForgot = () =>
  useSave({
    save: (body: BodyOf<typeof accessLinks.forgot>) => call(accessLinks.forgot, { body }),
    // Where no mail is sent, the page alone says what comes.
    success: ({ mails }) => (mails ? FORGOT_ANSWER : undefined),
    refreshes: [],
  })

export const useChoosePassword = () =>
  useSave({
    save: (body: BodyOf<typeof accessLinks.use>) => call(accessLinks.use, { body }),
    success: 'Contraseña guardada. Ya puedes entrar.',
    refreshes: [],
  })
