import type { Json } from '@parley/core'
import { isObject } from './json.ts'
import type { Evaluate } from './scope.ts'
import { refuse, type Site } from './site.ts'

/**
 * Compiles a path to a value: `topic.title`, `result.0`, `steps.draft.output`. A missing value is `null`.
 * @throws ParleyError `config-invalid` if the path starts with an unknown name.
 */
export function compileReference(text: string, site: Site): Evaluate {
  const segments = text.split('.')
  const [root = '', name = '', output] = segments
  const ofStep = root === 'steps'
  if (ofStep && (segments.length < 3 || output !== 'output')) {
    refuse(site.path, `uses '${text}'; must be steps.NAME.output`)
  }
  const key = ofStep ? `steps.${name}` : root
  const binding = site.visible.get(key)
  if (binding === undefined) refuse(site.path, `uses '${text}', but '${key}' is unknown here${hint(key, site)}`)
  site.uses.add(binding)
  const way = segments.slice(ofStep ? 3 : 1)
  return scope => follow(scope.get(key) ?? null, way)
}

function hint(key: string, { visible }: Site): string {
  if (key === 'result') return ': no step comes before it'
  const known = [...visible.keys()].map(each => (each.startsWith('steps.') ? `${each}.output` : each))
  return `; known: ${known.join(', ')}`
}

function follow(from: Json, way: readonly string[]): Json {
  let value = from
  for (const segment of way) {
    if (Array.isArray(value)) value = /^\d+$/.test(segment) ? (value[Number(segment)] ?? null) : null
    else value = isObject(value) && Object.hasOwn(value, segment) ? (value[segment] ?? null) : null
  }
  return value
}
