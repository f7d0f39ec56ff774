import { ownKeys } from '../schema/provider-schema.ts'
import type { ConfigSource, KeyPath } from '../schema/config.ts'
import { hintOf } from '@parley/core'
import type { Problem } from './problem.ts'
import { fieldsOf, isFields, valueAt } from './value-at.ts'

/**
 * Finds names that refer to a missing entry of another section. Names of models, tools and provider types depend on the registry,
 * so `composeConfig` checks them.
 */
export function checkReferences(value: unknown, written: ConfigSource['written']): readonly Problem[] {
  const problems: Problem[] = []
  const refer = (key: KeyPath, section: string): void => {
    const name = valueAt(value, key)
    const fields = valueAt(value, [section])
    if (typeof name !== 'string' || (isFields(fields) && Object.hasOwn(fields, name))) return
    const detail = (): string => {
      const names = isFields(fields) ? Object.keys(fields) : []
      return `names '${String(written(key))}', which is missing in '${section}'; ${hintOf(name, names)}`
    }
    problems.push({ key, detail })
  }
  for (const [name] of fieldsOf(valueAt(value, ['models']))) refer(['models', name, 'provider'], 'providers')
  for (const section of ['profiles', 'agents'])
    for (const [name, agent] of fieldsOf(valueAt(value, [section]))) referAgent([section, name], agent, refer)
  for (const [name, provider] of fieldsOf(valueAt(value, ['providers'])))
    problems.push(...foreignKeys(['providers', name], provider))
  const agents = valueAt(value, ['agents'])
  if (isFields(agents) && Object.keys(agents).length === 0)
    problems.push({ key: ['agents'], detail: 'is empty; must contain at least one agent' })
  return problems
}

function referAgent(key: KeyPath, agent: unknown, refer: (key: KeyPath, section: string) => void): void {
  refer([...key, 'profile'], 'profiles')
  if (valueAt(agent, ['context']) !== 'none') refer([...key, 'context'], 'contexts')
  for (const index of placesOf(valueAt(agent, ['handoffs']))) refer([...key, 'handoffs', index], 'agents')
  for (const index of placesOf(valueAt(agent, ['agents']))) {
    const isName = typeof valueAt(agent, ['agents', index]) === 'string'
    refer([...key, 'agents', index, ...(isName ? [] : ['agent'])], 'agents')
  }
}

/** Finds keys that only other types of providers have. */
function foreignKeys(key: KeyPath, provider: unknown): readonly Problem[] {
  const type = valueAt(provider, ['type']) ?? key.at(-1)
  const taken = typeof type === 'string' ? ownKeys.get(type) : undefined
  return fieldsOf(provider).flatMap(([name]) => {
    const owners = [...ownKeys.keys()].filter(owner => ownKeys.get(owner)?.includes(name))
    const isForeign = name === 'options' ? taken !== undefined : owners.length > 0 && taken?.includes(name) !== true
    if (!isForeign) return []
    const whose = name === 'options' ? 'provider types of your own' : `providers of type ${owners.join(', ')}`
    const cure = taken === undefined && name !== 'options' ? "; set 'type', or move it into 'options'" : ''
    return [{ key: [...key, name], detail: `is only for ${whose}${cure}` }]
  })
}

function placesOf(list: unknown): readonly number[] {
  return Array.isArray(list) ? [...list.keys()] : []
}
