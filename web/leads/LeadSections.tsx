import type { ReactNode } from 'react'
import { type Lead, type UtmField, utmFields } from '#contract/leads.ts'
import { Fact } from '#web/ui/Card.tsx'
import { Collapsible } from '#web/ui/Collapsible.tsx'
import { Copyable } from '#web/ui/CopyButton.tsx'
import { DayTime } from '#web/ui/dates.tsx'
import { textFields } from './filters.ts'
import { LooseData } from './LooseData.tsx'

export function LeadSections({ lead }: { lead: Lead }) {
  const utm = utmFields.filter((field) => lead[field] !== '')
  return (
    <div>
      <Collapsible title="Datos Básicos">
        <Details>
          <Fact label="Lead ID">{lead.id}</Fact>
          <Fact label="Tracking ID">
            <Copyable
              text={lead.tracking_id}
              label="Copiar Tracking ID"
              copied="Información copiada al portapapeles"
              failed="Error al copiar la información"
            />
          </Fact>
          <Fact label="External ID">{lead.external_id || 'N/A'}</Fact>
          <Fact label="Fecha Creación">
            <DayTime value={lead.created_at} />
          </Fact>
          {isPresent(lead.lead_data) && (
            <Fact label="Datos del Lead">
              <LooseData value={lead.lead_data} />
            </Fact>
          )}
        </Details>
      </Collapsible>
      <Collapsible title="Info Comercial">
        <Details>
          <Fact label="Producto">{lead.product_name}</Fact>
          <Fact label="Emisor">{lead.issuer_name}</Fact>
          <Fact label="Afiliado">{lead.affiliate_name}</Fact>
        </Details>
      </Collapsible>
      {utm.length > 0 && (
        <Collapsible title="Datos UTM">
          <Details>
            {utm.map((field: UtmField) => (
              <Fact key={field} label={textFields[field]}>
                {lead[field]}
              </Fact>
            ))}
          </Details>
        </Collapsible>
      )}
    </div>
  )
}

export const Details = ({ children }: { children: ReactNode }) => <dl className="grid gap-3">{children}</dl>

export const isPresent = (data: Lead['lead_data']): data is NonNullable<Lead['lead_data']> =>
  data !== null && data !== '' && (typeof data === 'string' || Object.keys(data).length > 0)
