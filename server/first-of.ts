/** The row of a query that always has one. */
export function firstOf<Row>([row]: Row[]): Row {
  if (!row) throw new Error('A query that always has a row returned none')
  return row
}
