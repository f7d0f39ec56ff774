const MAX_LENGTH = 32

/**
 * Assigns a unique name to each of several servers: the second `fs` becomes `fs-1`, the third `fs-2`. A name that only
 * one server has stays as it is. Shortens a name if the suffix would make it too long.
 */
export function assignServerIds(names: readonly string[]): readonly string[] {
  const given = new Set(names)
  const taken = new Set<string>()
  return names.map(name => {
    let id = name
    for (let count = 1; taken.has(id) || (id !== name && given.has(id)); count += 1) {
      const suffix = `-${count}`
      id = name.slice(0, MAX_LENGTH - suffix.length) + suffix
    }
    taken.add(id)
    return id
  })
}
