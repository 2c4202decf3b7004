import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Paper } from './PrintStatement.tsx'
import { statementQuery } from './queries.ts'

/** Prints a payment from its row, as its panel does. */
export default function PrintNow({ id, onDone }: { id: number; onDone: () => void }) {
  const { data, isError } = useQuery(statementQuery(id))
  useEffect(() => {
    if (isError) onDone()
  }, [isError, onDone])
  if (data) return <Paper statement={data} onPrinted={onDone} />
  return (
    <span role="status" className="sr-only">
      Preparando el estado de pago...
    </span>
  )
}
