import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useWatch } from 'react-hook-form'
import { CANCELLED_BY_ADMIN, COMPENSATED, type Compensated, type RatePreview } from '#contract/rates.ts'
import { NOTE_MAX } from '#contract/rulings.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { eventStepsQuery } from '#web/event-steps/queries.ts'
import { DialogForm } from '#web/form/DialogForm.tsx'
import { ComboboxField, SelectField } from '#web/form/SelectField.tsx'
import { DateField, MoneyField } from '#web/form/special-fields.tsx'
import { TextArea } from '#web/form/TextArea.tsx'
import { useSchemaForm } from '#web/form/use-schema-form.ts'
import { productsQuery } from '#web/products/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { ErrorState } from '#web/ui/EmptyState.tsx'
import { formatDate, formatMoney } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { frozenBy } from './frozen.ts'
import { productOptions } from './product-options.ts'
import { commissionsQuery, compensatedQuery, ratePreviewQuery, useCancelRate, useChangeRate } from './queries.ts'
import { compensatedBy, RateMeaning } from './RateMeaning.tsx'
import { payingSteps, type RateValues, rateAsked, rateCall, rateForm } from './rate-form.ts'
import type { RateScope } from './rate-scope.ts'

interface Props {
  /** Without one, the product is chosen: its default. */
  scope?: RateScope
  onClose: () => void
}

const EMPTY: RateValues = { product_id: null, event_step_id: '', amount: '', valid_from: '', since: '', note: '' }

/** What will be paid from a day on, or from now on, with what that means in pesos. */
export function RateDialog({ scope, onClose }: Props) {
  const change = useChangeRate()
  const form = useSchemaForm<RateValues, RateValues>(rateForm(scope), EMPTY)
  const { control } = form
  const values = { ...EMPTY, ...useWatch({ control }) }
  const isDefault = !scope?.commission
  const isAdmin = useAuth().user?.role === 'admin'
  const preview = usePreview(scope, values)
  const frozen = useFrozen(scope)
  const compensates = values.since !== ''
  return (
    <DialogForm
      title={scope ? 'Programar cambio' : 'Tarifa general del producto'}
      description={
        isDefault
          ? 'La gana cada afiliado que promueve el producto sin una comisión propia. Lo ya devengado conserva su monto.'
          : 'El afiliado lo ve anunciado desde ahora. Lo ya devengado conserva su monto.'
      }
      frozen={frozen}
      before={
        scope && (
          <>
            <ScopeFacts scope={scope} />
            {scope.next && <Announced next={scope.next} />}
          </>
        )
      }
      form={form}
      busy={change.isPending}
      error={change.error}
      submit={submitText(scope, compensates)}
      submitBusy={scope ? 'Programando...' : 'Guardando...'}
      onClose={onClose}
      disabledReason={
        compensates && preview.isAsked && !preview.isCurrent ? 'Espera a ver lo que se compensa' : undefined
      }
      onSubmit={(sent) =>
        change.mutate(rateCall(scope, sent, preview.query.data?.compensation ?? null), {
          onSuccess: onClose,
          onError: () => void preview.query.refetch(),
        })
      }
    >
      {!scope && <ProductField control={control} onChosen={() => form.setValue('event_step_id', '')} />}
      {!scope?.step && <StepField control={control} product={scope?.product ?? values.product_id} />}
      <MoneyField name="amount" label="Nuevo monto (MXN)" control={control} />
      <DateField
        name="valid_from"
        label="A partir del"
        control={control}
        min={addDays(dateInMexico(), 1)}
        help={
          isDefault || scope.step !== null || values.event_step_id !== ''
            ? 'Desde las 00:00 de ese día, hora de la Ciudad de México. Vacía, desde ahora.'
            : 'Desde las 00:00 de ese día, hora de la Ciudad de México.'
        }
      />
      {isAdmin && (
        <DateField
          name="since"
          label="Compensar lo devengado desde"
          control={control}
          optional
          max={dateInMexico()}
          help="Un ajuste por comisión, también pagada, la lleva al nuevo monto."
        />
      )}
      {compensates && (
        <TextArea
          name="note"
          label="Motivo de la compensación"
          control={control}
          limit={NOTE_MAX}
          help="Lo leen el afiliado y el emisor en cada ajuste."
        />
      )}
      {preview.isAsked && <Preview query={preview.query} isDefault={isDefault} />}
    </DialogForm>
  )
}

/** Why the amounts of its commission stay as they are; what was announced can be cancelled. */
function useFrozen(scope: RateScope | undefined): string | undefined {
  const { data } = useQuery({ ...commissionsQuery(), enabled: Boolean(scope?.commission), meta: { quiet: true } })
  const commission = data?.find(({ id }) => id === scope?.commission)
  return commission && frozenBy(commission)
}

const ScopeFacts = ({ scope: { product_name, affiliate_name, step_name, payout } }: { scope: RateScope }) => (
  <Facts>
    <Fact label="Producto">{product_name}</Fact>
    <Fact label="Afiliado">{affiliate_name ?? 'Sin comisión propia'}</Fact>
    {step_name !== null && <Fact label="Paso">{step_name}</Fact>}
    <Fact label="Monto vigente">
      <Money value={payout} missing="Ninguno" />
    </Fact>
  </Facts>
)

type Control = ReturnType<typeof useSchemaForm<RateValues, RateValues>>['control']

function ProductField({ control, onChosen }: { control: Control; onChosen: () => void }) {
  const { data } = useQuery({ ...productsQuery(), meta: { quiet: true } })
  return (
    <ComboboxField
      name="product_id"
      label="Producto"
      control={control}
      options={productOptions(data)}
      onChosen={onChosen}
    />
  )
}

/** Nothing to choose where one step pays, or none. */
function StepField({ control, product }: { control: Control; product: number | null }) {
  const { data } = useQuery({ ...eventStepsQuery(), meta: { quiet: true } })
  const steps = payingSteps(data, product)
  if (steps.length < 2) return null
  return (
    <SelectField
      name="event_step_id"
      label="Paso"
      control={control}
      options={[
        { value: '', label: 'Todos los pasos sin monto propio' },
        ...steps.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}

/** Whoever cancels it sees before what goes with it. */
function Announced({ next: { id, payout, since } }: { next: NonNullable<RateScope['next']> }) {
  const cancel = useCancelRate()
  const isAdmin = useAuth().user?.role === 'admin'
  const { data, isPending } = useQuery({ ...compensatedQuery(id), enabled: !cancel.isSuccess })
  const goes = data && data.entries > 0 && data.locked === 0 && isAdmin ? ' Al cancelarlo se anulan.' : ''
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-info-soft px-3 py-2 text-info-ink">
      <p role="status">
        {cancel.isSuccess
          ? 'El cambio se canceló.'
          : `Ya programado: ${formatMoney(payout)} desde el ${formatDate(since, 'day')}.${data ? compensatedBy(data) : ''}${goes}`}
      </p>
      {!cancel.isSuccess && (
        <Button
          size="sm"
          busy={cancel.isPending}
          busyText="Cancelando..."
          disabledReason={cancelRefusal(data, { isAdmin, isPending })}
          onClick={() => cancel.mutate(id)}
        >
          Cancelar este cambio
        </Button>
      )}
    </div>
  )
}

interface Canceller {
  isAdmin: boolean
  isPending: boolean
}

function cancelRefusal(compensated: Compensated | undefined, { isAdmin, isPending }: Canceller): string | undefined {
  if (isPending) return 'Espera a ver lo que compensa'
  if (!compensated) return undefined
  if (!isAdmin && compensated.entries > 0) return CANCELLED_BY_ADMIN
  return compensated.locked > 0 ? COMPENSATED : undefined
}

function submitText(scope: RateScope | undefined, compensates: boolean): string {
  if (compensates) return scope ? 'Programar y compensar' : 'Guardar y compensar'
  return scope ? 'Programar cambio' : 'Guardar tarifa'
}

/** `isCurrent`: what it shows is of what the fields say now. */
function usePreview(scope: RateScope | undefined, values: RateValues) {
  const asked = rateAsked(scope, values)
  const deferred = useDeferredValue(JSON.stringify(asked))
  const query = useQuery(ratePreviewQuery(deferred === undefined ? undefined : JSON.parse(deferred)))
  const isCurrent =
    deferred === JSON.stringify(asked) && query.isSuccess && !query.isPlaceholderData && !query.isFetching
  return { query, isAsked: asked !== undefined, isCurrent }
}

function Preview({ query, isDefault }: { query: UseQueryResult<RatePreview>; isDefault: boolean }) {
  // What the fields themselves say is wrong is not said again.
  if (query.isError) return <ErrorState text="No se pudo calcular lo que significa" query={query} />
  return (
    <section aria-label="Lo que significa" aria-busy={query.isFetching} className="rounded-lg bg-sunken px-3 py-2">
      {query.data ? (
        <RateMeaning preview={query.data} isDefault={isDefault} />
      ) : (
        <Skeleton className="w-64 max-w-full" />
      )}
    </section>
  )
}
