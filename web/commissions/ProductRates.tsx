import { useQuery } from '@tanstack/react-query'
import { CalendarClock, CircleOff, History } from 'lucide-react'
import { useState } from 'react'
import { type RateInForce, rates } from '#contract/rates.ts'
import { useRefusal } from '#web/auth/rights.ts'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { Company } from '#web/ui/Company.tsx'
import { Day } from '#web/ui/dates.tsx'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { RateDialog, RateHistoryDialog } from './dialogs.ts'
import { EndedChange } from './EndedChange.tsx'
import { Payout } from './Payout.tsx'
import { ratesInForceQuery, useEndRate } from './queries.ts'

const ofIssuer: Column<RateInForce>[] = [
  {
    header: 'Producto',
    cell: (rate) => <span className="font-medium">{rate.product_name}</span>,
    sort: (rate) => rate.product_name,
    card: 'title',
  },
  {
    header: 'Afiliado',
    cell: (rate) =>
      rate.affiliate_name === null ? (
        <span className="text-muted">Todos sin comisión propia</span>
      ) : (
        <Company name={rate.affiliate_name} />
      ),
    sort: (rate) => rate.affiliate_name ?? '',
    card: 'meta',
  },
  {
    header: 'Paso',
    cell: (rate) => rate.step_name ?? <span className="text-muted">Todos los pasos</span>,
    sort: (rate) => rate.step_name ?? '',
    card: 'meta',
  },
  {
    header: 'Comisión',
    cell: (rate) => <Payout of={rate} />,
    sort: (rate) => Number(rate.payout ?? 0),
    align: 'right',
    card: 'amount',
  },
  {
    header: 'Desde',
    cell: (rate) => <Day value={rate.since} missing="-" />,
    sort: (rate) => rate.since,
    secondary: true,
  },
]

const ofAll: Column<RateInForce>[] = [
  {
    header: 'Emisor',
    cell: (rate) => <Company name={rate.issuer_name} />,
    sort: (rate) => rate.issuer_name,
    card: 'meta',
  },
  ...ofIssuer,
]

/** 'Tarjeta Oro, Aprobada', for who hears the name of a button alone. */
const nameOf = ({ product_name, affiliate_name, step_name }: RateInForce) =>
  [product_name, affiliate_name, step_name].filter(Boolean).join(', ')

type Open = { kind: 'change' | 'history' | 'end'; rate: RateInForce }

interface Props {
  withIssuer?: boolean
  /** While the list above has no rows, which would push it down. */
  waits: boolean
}

/** The defaults of products and the amounts by step; nothing is drawn while there are none. */
export function ProductRates({ withIssuer = false, waits }: Props) {
  const [open, setOpen] = useState<Open>()
  const refuse = useRefusal()
  const list = useQuery(ratesInForceQuery())
  const close = () => setOpen(undefined)
  return (
    <>
      {!waits && (list.isError || (list.data?.length ?? 0) > 0) && (
        <section aria-labelledby="tarifas-generales" className="mt-8">
          <h2 id="tarifas-generales" className="text-base font-semibold">
            Tarifas generales y por paso
          </h2>
          <p className="mt-0.5 mb-3 max-w-3xl text-muted">
            La tarifa general de un producto la gana quien no tiene comisión propia. El monto de un paso va antes que el
            de todos los pasos.
          </p>
          <DataTable
            query={list}
            columns={withIssuer ? ofAll : ofIssuer}
            label="Tarifas generales y por paso"
            loading="Cargando tarifas..."
            errorText="Error al cargar las tarifas"
            empty="No hay tarifas generales"
            top={5}
            actions={(rate) => [
              {
                label: `Programar cambio de ${nameOf(rate)}`,
                icon: CalendarClock,
                opens: true,
                onClick: () => setOpen({ kind: 'change', rate }),
                disabledReason: refuse(rates.create),
              },
              {
                label: `Historial de montos de ${nameOf(rate)}`,
                icon: History,
                opens: true,
                onClick: () => setOpen({ kind: 'history', rate }),
              },
              ...(rate.payout === null
                ? []
                : [
                    {
                      label: `Quitar tarifa de ${nameOf(rate)}`,
                      icon: CircleOff,
                      opens: true,
                      onClick: () => setOpen({ kind: 'end', rate }),
                      disabledReason: refuse(rates.end),
                    },
                  ]),
            ]}
          />
        </section>
      )}
      {open?.kind === 'change' && <RateDialog scope={open.rate} onClose={close} />}
      {open?.kind === 'history' && <RateHistoryDialog rate={open.rate} onClose={close} />}
      {open?.kind === 'end' && <EndDialog rate={open.rate} onClose={close} />}
    </>
  )
}

function EndDialog({ rate, onClose }: { rate: RateInForce; onClose: () => void }) {
  return (
    <RemoveDialog
      title="Quitar tarifa"
      confirm="Quitar"
      busyText="Quitando..."
      remove={useEndRate()}
      id={rate.id}
      onClose={onClose}
    >
      {rate.step === null ? (
        <>
          ¿Quitar la tarifa general de <strong className="text-ink">{rate.product_name}</strong>? Quien no tenga
          comisión propia deja de ganar por los leads que genere desde ahora, en todos los pasos.
        </>
      ) : (
        <>
          ¿Quitar el monto del paso <strong className="text-ink">{rate.step_name}</strong> de {rate.product_name}? Desde
          ahora paga lo mismo que los demás pasos.
        </>
      )}{' '}
      Los leads que ya hicieron clic lo ganan todavía, y lo ya devengado se conserva.
      <EndedChange next={rate.next} />
    </RemoveDialog>
  )
}
