import { refuseOption, storageFault } from '@parley/core'

/**
 * Copies the context of a run, as its journal keeps it. The copy is frozen: a change would be lost when the run is resumed.
 * @throws ParleyError `config-invalid` at the first value that is not JSON.
 */
export function keepContext(given: unknown): unknown {
  if (given === undefined) return undefined
  const fault = storageFault(given)
  return fault === undefined ? frozen(given, 'context') : refuseOption('context', fault)
}

function frozen(given: unknown, path: string): unknown {
  if (typeof given !== 'object' || given === null) return keepScalar(given, path)
  if (Array.isArray(given)) return Object.freeze(given.map((item, index) => frozen(item, `${path}[${index}]`)))
  const prototype: unknown = Object.getPrototypeOf(given)
  if (prototype !== Object.prototype && prototype !== null) refuse(given.constructor?.name ?? 'object', path)
  const members = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.freeze(Object.fromEntries(members.map(([key, value]) => [key, frozen(value, `${path}.${key}`)])))
}

function keepScalar(given: unknown, path: string): unknown {
  if (given === null || typeof given === 'string' || typeof given === 'boolean') return given
  return typeof given === 'number' && Number.isFinite(given) ? given : refuse(typeof given, path)
}

function refuse(kind: string, path: string): never {
  refuseOption(
    path,
    `is a ${kind}; must be JSON, because the journal keeps it for a resumed run. Give connections and functions to tools where ` +
      'they are made, and put an id here',
  )
}
