import type { Json } from '@parley/core'
import { isFields, type FileScope } from './file-scope.ts'
import type { PromptyTemplate } from './prompty-agent.ts'

const FORMATS = ['jinja2', 'mustache']
const PARSERS = ['prompty']

/** Reads the field `template`. @throws ParleyError `config-invalid`. */
export function readTemplate(value: Json | undefined, scope: FileScope): PromptyTemplate {
  if (value !== undefined && value !== null && !isFields(value))
    return scope.fail(['template'], 'Invalid template format: must be a map of format and parser.')
  const { format, parser } = value ?? {}
  return {
    format: readPart('format', format ?? 'jinja2', { known: FORMATS, scope }),
    parser: readPart('parser', parser ?? 'prompty', { known: PARSERS, scope }),
  }
}

interface PartOptions {
  readonly known: readonly string[]
  readonly scope: FileScope
}

function readPart(name: 'format' | 'parser', value: Json, { known, scope }: PartOptions): PromptyTemplate['format'] {
  const part = typeof value === 'string' ? { kind: value } : value
  const given = isFields(part) ? part['kind'] : undefined
  // The first known kind is the default. Some files write `jinja` for `jinja2`.
  const kind = given === undefined ? known[0] : given === 'jinja' ? 'jinja2' : given
  if (!isFields(part) || typeof kind !== 'string' || !known.includes(kind))
    return scope.fail(
      ['template', name],
      `Invalid template ${name} ${JSON.stringify(given ?? value)}: must be ${known.join(' or ')}.`,
    )
  const { strict } = part
  if (strict !== undefined && strict !== null && typeof strict !== 'boolean')
    scope.fail(['template', name, 'strict'], 'must be true or false.')
  return { ...part, kind }
}
