import { SECOND_FACTOR_REQUIRED } from '#contract/security-policy.ts'
import { FactorsCard } from '#web/second-factors/FactorsCard.tsx'
import { Page } from '#web/shell/Page.tsx'
import { Button } from '#web/ui/Button.tsx'

/** All that can be done without a second factor where the role requires one. */
export function Enrolment({ done, onDone }: { done: boolean; onDone: () => void }) {
  return (
    <Page title="Registra tu segundo factor" description={`${SECOND_FACTOR_REQUIRED}.`}>
      <div className="grid gap-6">
        <FactorsCard />
        <div>
          <Button
            variant="primary"
            onClick={onDone}
            disabledReason={done ? undefined : 'Agrega una aplicación de códigos o una llave de acceso'}
          >
            Continuar
          </Button>
        </div>
      </div>
    </Page>
  )
}
