import type { Json } from '@parley/core'
import { isFields, type Fields, type FileScope, type KeyPath } from './file-scope.ts'
import type { PromptyApprovalMode, PromptyTool } from './prompty-agent.ts'
import { readConnection } from './read-model.ts'
import { readProperties } from './read-properties.ts'

/**
 * Reads tools as a list or a map by name. Unknown kinds are kept, because the host may implement them.
 * @throws ParleyError `config-invalid`.
 */
export function readTools(value: Json | undefined, scope: FileScope): readonly PromptyTool[] {
  if (value === undefined || value === null) return []
  const entries: readonly (readonly [KeyPath, Json])[] = Array.isArray(value)
    ? value.map((item, index) => [['tools', index], item] as const)
    : isFields(value)
      ? Object.entries(value).map(
          ([name, item]) => [['tools', name], isFields(item) ? { name, ...item } : item] as const,
        )
      : scope.fail(['tools'], 'must be a list or a map by name.')
  const tools = entries.map(([key, item]) => readTool(item, key, scope))
  const names = new Set<string>()
  for (const [index, { name }] of tools.entries()) {
    if (names.has(name)) scope.fail(entries[index]?.[0] ?? ['tools'], `repeats the tool '${name}'.`)
    names.add(name)
  }
  return tools
}

function readTool(item: Json, key: KeyPath, scope: FileScope): PromptyTool {
  if (!isFields(item)) return scope.fail(key, 'must be a map with name and kind.')
  // Older files have tools in the form of OpenAI's requests.
  const inner =
    item['type'] === 'function' && isFields(item['function']) ? { kind: 'function', ...item['function'] } : item
  const {
    name,
    kind = 'function',
    description,
    bindings,
    parameters,
    strict,
    connection,
    approvalMode,
    ...rest
  } = inner
  if (typeof name !== 'string' || name === '') return scope.fail([...key, 'name'], 'must be a name.')
  if (typeof kind !== 'string') return scope.fail([...key, 'kind'], 'must be a string.')
  if (strict !== undefined && strict !== null && typeof strict !== 'boolean')
    scope.fail([...key, 'strict'], 'must be true or false.')
  return {
    ...rest,
    name,
    kind,
    ...(typeof description === 'string' ? { description } : {}),
    bindings: readBindings(bindings, [...key, 'bindings'], scope),
    ...(kind === 'function' ? { parameters: readParameters(parameters, [...key, 'parameters'], scope) } : {}),
    ...(kind !== 'function' && parameters !== undefined
      ? { parameters: readParameters(parameters, [...key, 'parameters'], scope) }
      : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...(connection === undefined || connection === null
      ? {}
      : { connection: readConnection(connection, [...key, 'connection'], scope) }),
    ...(approvalMode === undefined || approvalMode === null
      ? {}
      : { approvalMode: readApprovalMode(approvalMode, [...key, 'approvalMode'], scope) }),
  }
}

/**
 * Reads the parameters of a tool. Older files have a JSON Schema here, which lists required properties in `required`.
 */
function readParameters(value: Json | undefined, key: KeyPath, scope: FileScope): ReturnType<typeof readProperties> {
  const list = readProperties(value, key, scope)
  const required = isFields(value) && value['type'] === 'object' ? value['required'] : undefined
  if (!Array.isArray(required)) return list
  return list.map(property => (required.includes(property.name) ? { ...property, required: true } : property))
}

function readBindings(value: Json | undefined, key: KeyPath, scope: FileScope): PromptyTool['bindings'] {
  if (value === undefined || value === null) return {}
  const read = (name: Json | undefined, given: Json, at: KeyPath): readonly [string, { readonly input: string }] => {
    const input = isFields(given) ? given['input'] : given
    if (typeof name !== 'string' || typeof input !== 'string')
      return scope.fail(at, 'must map parameters to inputs: { parameter: { input: name } }.')
    return [name, { input }]
  }
  if (Array.isArray(value))
    return Object.fromEntries(
      value.map((item, index) => read((item as Fields | null)?.['name'], item, [...key, index])),
    )
  if (!isFields(value)) return scope.fail(key, 'must be a map or a list.')
  return Object.fromEntries(Object.entries(value).map(([name, given]) => read(name, given, [...key, name])))
}

function readApprovalMode(value: Json, key: KeyPath, scope: FileScope): PromptyApprovalMode {
  const mode = typeof value === 'string' ? { kind: value } : value
  const kind = isFields(mode) ? mode['kind'] : undefined
  if (kind !== 'always' && kind !== 'never' && kind !== 'specify')
    return scope.fail(key, 'must be always, never or specify.')
  return { ...(mode as unknown as PromptyApprovalMode), kind }
}
