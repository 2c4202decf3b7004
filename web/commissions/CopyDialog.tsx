import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import type { Commission, CommissionGap } from '#contract/commissions.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState, ErrorState } from '#web/ui/EmptyState.tsx'
import { counted, formatMoney } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { commissionGapsQuery, useCopyCommission } from './queries.ts'

/** Gives the commission to others who promote its product without one. */
export function CopyDialog({ commission, onClose }: { commission: Commission; onClose: () => void }) {
  const gaps = useQuery({ ...commissionGapsQuery(), staleTime: 0 })
  const copy = useCopyCommission()
  const [chosen, setChosen] = useState<readonly number[]>([])
  const others = gaps.data?.filter(({ product }) => product === commission.product)
  const sent = others?.filter(({ affiliate }) => chosen.includes(affiliate)) ?? []
  const save = () =>
    copy.mutate({ id: commission.id, affiliate_ids: sent.map(({ affiliate }) => affiliate) }, { onSuccess: onClose })
  return (
    <Dialog
      holdsFields
      title="Copiar a más afiliados"
      description={`${formatMoney(commission.payout)} por ${commission.product_name}, como a ${commission.affiliate_name}.`}
      onClose={() => copy.isPending || onClose()}
      footer={
        <>
          <Button onClick={onClose} disabled={copy.isPending}>
            Cancelar
          </Button>
          <Button
            variant="primary"
            busy={copy.isPending}
            busyText="Copiando..."
            disabledReason={sent.length === 0 ? 'Selecciona al menos un afiliado' : undefined}
            onClick={save}
          >
            {sent.length === 0 ? 'Copiar' : `Copiar a ${counted(sent.length, 'afiliado', 'afiliados')}`}
          </Button>
        </>
      }
    >
      {copy.isError && (
        <p role="alert" className="mb-3 rounded-lg bg-danger-soft px-3 py-2 text-danger-ink">
          {copy.error.message}
        </p>
      )}
      {!others && gaps.isError && <ErrorState text="Error al cargar los afiliados" query={gaps} />}
      {!others && !gaps.isError && (
        <div role="status" className="grid gap-3 py-2">
          <span className="sr-only">Cargando afiliados...</span>
          <Skeleton className="w-48" />
          <Skeleton className="w-40" />
        </div>
      )}
      {others?.length === 0 && (
        <EmptyState
          text="Todos tienen comisión"
          hint="Cada afiliado que promueve este producto ya tiene una comisión configurada."
        />
      )}
      {others && others.length > 0 && <Choice others={others} chosen={chosen} onChange={setChosen} />}
    </Dialog>
  )
}

interface ChoiceProps {
  others: readonly CommissionGap[]
  chosen: readonly number[]
  onChange: (chosen: readonly number[]) => void
}

function Choice({ others, chosen, onChange }: ChoiceProps) {
  const all = others.every(({ affiliate }) => chosen.includes(affiliate))
  const toggle = (id: number) => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <fieldset>
      <legend className="mb-1 text-muted">Promueven el producto sin comisión:</legend>
      {others.length > 1 && (
        <Box checked={all} onChange={() => onChange(all ? [] : others.map(({ affiliate }) => affiliate))}>
          <span className="font-medium">Todos</span>
        </Box>
      )}
      {others.map(({ affiliate, affiliate_name }) => (
        <Box key={affiliate} checked={chosen.includes(affiliate)} onChange={() => toggle(affiliate)}>
          {affiliate_name}
        </Box>
      ))}
    </fieldset>
  )
}

function Box({ checked, onChange, children }: { checked: boolean; onChange: () => void; children: ReactNode }) {
  const id = useId()
  return (
    <div className="flex items-center gap-2.5">
      <input id={id} type="checkbox" checked={checked} onChange={onChange} className="size-4 shrink-0 accent-brand" />
      <label htmlFor={id} className="min-h-11 grow content-center wrap-anywhere sm:min-h-9">
        {children}
      </label>
    </div>
  )
}
