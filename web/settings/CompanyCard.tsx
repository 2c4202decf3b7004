import type { ReactNode } from 'react'
import type { Affiliate } from '#contract/affiliates.ts'
import { Card, Fact, Facts } from '#web/ui/Card.tsx'
import { LongDay } from '#web/ui/dates.tsx'
import { MISSING } from '#web/ui/format.ts'
import { MailLink, PhoneLink, WebLink } from '#web/ui/links.tsx'

type Company = Pick<
  Affiliate,
  'company_name' | 'rfc' | 'address' | 'contact_name' | 'contact_phone' | 'contact_email' | 'url' | 'created_at'
>

interface Props {
  title: string
  company: Company
  /** Its keys, as further facts. */
  children: ReactNode
}

/** The own company, for reading. */
export const CompanyCard = ({ title, company, children }: Props) => (
  <Card title={title} description="Esta información es de solo consulta. Para cambiarla, contacta al administrador.">
    <Facts>
      <Fact label="Empresa">{company.company_name || MISSING}</Fact>
      <Fact label="RFC">{company.rfc || MISSING}</Fact>
      <Fact label="Contacto">{company.contact_name || MISSING}</Fact>
      <Fact label="Teléfono">
        <PhoneLink phone={company.contact_phone} />
      </Fact>
      <Fact label="Email">
        <MailLink address={company.contact_email} />
      </Fact>
      <Fact label="Fecha de registro">
        <LongDay value={company.created_at} />
      </Fact>
      <Fact label="Dirección" wide>
        {company.address || MISSING}
      </Fact>
      <Fact label="URL" wide>
        <WebLink url={company.url} />
      </Fact>
      {children}
    </Facts>
  </Card>
)
