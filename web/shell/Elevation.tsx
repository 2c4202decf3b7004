import { lazy, Suspense, useEffect, useState } from 'react'
import { elevation } from '#web/api/elevation.ts'

const ElevationDialog = lazy(() => import('#web/auth/ElevationDialog.tsx'))

/** Where calls that need a confirmation get it. */
export function Elevation() {
  const [answer, setAnswer] = useState<(elevated: boolean) => void>()
  useEffect(
    () =>
      elevation.answerBy(
        () =>
          new Promise((resolve) => {
            setAnswer(() => (elevated: boolean) => {
              setAnswer(undefined)
              resolve(elevated)
            })
          }),
      ),
    [],
  )
  return answer ? (
    <Suspense>
      <ElevationDialog onDone={answer} />
    </Suspense>
  ) : null
}
