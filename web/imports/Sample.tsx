import type { ImportDetail } from '#contract/imports.ts'

const ROWS = 5

/** The first rows as they came. */
export function Sample({ file: { header, sample } }: { file: ImportDetail }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wider than the screen, it is scrolled by keyboard, too
    <section aria-label="Primeros renglones" tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead>
          <tr>
            {header.map((name) => (
              <th key={name} scope="col" className="px-3 py-2 text-left font-medium whitespace-nowrap text-muted">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.slice(0, ROWS).map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file never change their order
            <tr key={row} className="border-t">
              {header.map((name, index) => (
                <td key={name} title={cells[index]} className="max-w-60 truncate px-3 py-2">
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
