import { Printer } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { type PaymentStatement, payments } from '#contract/payments.ts'
import { call } from '#web/api/client.ts'
import { useSave } from '#web/api/query-client.ts'
import { Button } from '#web/ui/Button.tsx'
import { Statement, statementTitle } from './Statement.tsx'

/** 'Imprimir': the payment as a statement, on paper or as a PDF of the browser. */
export function PrintStatement({ id }: { id: number }) {
  const [statement, setStatement] = useState<PaymentStatement>()
  const forget = useCallback(() => setStatement(undefined), [])
  const load = useSave({
    save: () => call(payments.statement, { params: { id } }),
    success: () => undefined,
    refreshes: [],
  })
  return (
    <>
      <Button
        icon={Printer}
        busy={load.isPending}
        busyText="Preparando..."
        onClick={() => load.mutate(undefined, { onSuccess: setStatement })}
      >
        Imprimir
      </Button>
      {statement && <Paper statement={statement} onPrinted={forget} />}
    </>
  )
}

/** Beside the application, which stays off the paper (print.css); gone when the browser has printed it. */
export function Paper({ statement, onPrinted }: { statement: PaymentStatement; onPrinted: () => void }) {
  useEffect(() => {
    const { title } = document
    // The browser proposes it as the name of the file.
    document.title = statementTitle(statement.payment.id)
    addEventListener('afterprint', onPrinted)
    print()
    return () => {
      removeEventListener('afterprint', onPrinted)
      document.title = title
    }
  }, [statement, onPrinted])
  return createPortal(
    <div data-paper>
      <Statement {...statement} />
    </div>,
    document.body,
  )
}
