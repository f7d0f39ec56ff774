const counts = new Map()

/** Counts the events of the bus by their type. */
export function onEvent({ type }) {
  counts.set(type, (counts.get(type) ?? 0) + 1)
}
