import type { Affiliate } from '#contract/affiliates.ts'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { LongDay } from '#web/ui/dates.tsx'
import { MISSING } from '#web/ui/format.ts'
import { MailLink, PhoneLink, WebLink } from '#web/ui/links.tsx'
import { type Loaded, LoadedCard } from './LoadedCard.tsx'

type Company = Pick<
  Affiliate,
  'company_name' | 'rfc' | 'address' | 'contact_name' | 'contact_phone' | 'contact_email' | 'url' | 'created_at'
>

/** The own company, for reading; the children are its keys, as further facts. */
export const CompanyCard = <Own extends Company>({ children, ...card }: Omit<Loaded<Own>, 'description'>) => (
  <LoadedCard {...card} description="Esta información es de solo consulta. Para cambiarla, contacta al administrador.">
    {(company) => (
      <Facts>
        <Fact label="Empresa">{company && (company.company_name || MISSING)}</Fact>
        <Fact label="RFC">{company && (company.rfc || MISSING)}</Fact>
        <Fact label="Contacto">{company && (company.contact_name || MISSING)}</Fact>
        <Fact label="Teléfono">{company && <PhoneLink phone={company.contact_phone} />}</Fact>
        <Fact label="Email">{company && <MailLink address={company.contact_email} />}</Fact>
        <Fact label="Fecha de registro">{company && <LongDay value={company.created_at} />}</Fact>
        <Fact label="Dirección" wide>
          {company && (company.address || MISSING)}
        </Fact>
        <Fact label="URL" wide>
          {company && <WebLink url={company.url} />}
        </Fact>
        {children(company)}
      </Facts>
    )}
  </LoadedCard>
)
