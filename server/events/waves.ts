interface Ordered {
  lead: { id: number }
  keys: readonly string[]
}

/**
 * Events in the order given, cut so that within a part none has the lead or a key of another: a part can be stored at
 * once, and the parts one after another come to the same as all events one after another.
 */
export function wavesOf<T extends Ordered>(events: readonly T[]): T[][] {
  const waves: T[][] = []
  const next = new Map<string | number, number>()
  for (const event of events) {
    const names = [event.lead.id, ...event.keys]
    const place = Math.max(...names.map((name) => next.get(name) ?? 0))
    for (const name of names) next.set(name, place + 1)
    const wave = waves[place]
    if (wave) wave.push(event)
    else waves.push([event])
  }
  return waves
}
