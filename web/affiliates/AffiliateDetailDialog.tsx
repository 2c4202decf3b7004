import { useQuery } from '@tanstack/react-query'
import type { Affiliate } from '#contract/affiliates.ts'
import { relationshipsQuery } from '#web/relationships/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LongDay } from '#web/ui/dates.tsx'
import { MISSING } from '#web/ui/format.ts'
import { MailLink, PhoneLink, WebLink } from '#web/ui/links.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

/** An affiliate as the issuer that works with it may see it. */
export function AffiliateDetailDialog({ affiliate, onClose }: { affiliate: Affiliate; onClose: () => void }) {
  return (
    <Dialog
      title={affiliate.company_name}
      size="lg"
      onClose={onClose}
      footer={<Button onClick={onClose}>Cerrar</Button>}
    >
      <Facts className="pt-2">
        <Fact label="Empresa">{affiliate.company_name}</Fact>
        <Fact label="RFC">{affiliate.rfc}</Fact>
        <Fact label="Nombre de contacto">{affiliate.contact_name}</Fact>
        <Fact label="Email de contacto">
          <MailLink address={affiliate.contact_email} />
        </Fact>
        <Fact label="Teléfono">
          <PhoneLink phone={affiliate.contact_phone} />
        </Fact>
        <Fact label="Relación desde">
          <RelatedSince relationshipId={affiliate.relationship_id} />
        </Fact>
        <Fact label="Dirección" wide>
          {affiliate.address || MISSING}
        </Fact>
        {affiliate.url && (
          <Fact label="URL" wide>
            <WebLink url={affiliate.url} />
          </Fact>
        )}
        {affiliate.users && affiliate.users.length > 0 && (
          <Fact label="Usuarios" wide>
            <ul className="grid gap-1">
              {affiliate.users.map((user) => (
                <li key={user.email} className="flex flex-wrap gap-x-3">
                  <span>{user.full_name}</span>
                  <MailLink address={user.email} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
    </Dialog>
  )
}

/** The affiliate has only the id of its relationship, so the date comes from the list of relationships. */
function RelatedSince({ relationshipId }: { relationshipId: number | undefined }) {
  const { data, isPending } = useQuery(relationshipsQuery())
  if (isPending) return <Skeleton className="my-1 w-32" />
  return <LongDay value={data?.find(({ id }) => id === relationshipId)?.created_at} />
}
