/** Of a question that always has an answer. */
export function firstOf<Row>([row]: Row[]): Row {
  if (!row) throw new Error('The sums came back empty')
  return row
}
