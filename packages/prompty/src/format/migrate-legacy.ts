import type { Json } from '@parley/core'
import { isFields, type Fields, type FileScope } from './file-scope.ts'

type Writable = Record<string, Json>

/**
 * Converts older forms of the frontmatter to the current form, each with a warning. A field in the current form is never
 * replaced by an older one.
 */
export function migrateLegacy(fields: Fields, scope: FileScope): Fields {
  const root: Writable = { ...fields }
  moveSchema(root, 'inputSchema', { to: 'inputs', scope })
  moveSchema(root, 'outputSchema', { to: 'outputs', scope })
  moveMetadata(root, scope)
  if ('sample' in root) {
    scope.warn(['sample'], "'sample' is ignored. Give each input a default.")
    delete root['sample']
  }
  if (isFields(root['model'])) migrateModel(root, root['model'], scope)
  migrateTemplate(root, scope)
  return root
}

function moveSchema(
  root: Writable,
  from: string,
  { to, scope }: { readonly to: string; readonly scope: FileScope },
): void {
  const schema = root[from]
  if (schema === undefined) return
  delete root[from]
  scope.warn([from], `'${from}' is an older form of '${to}'.`)
  if (schema === null || root[to] !== undefined) return
  root[to] = isFields(schema) && schema['properties'] !== undefined ? schema['properties'] : schema
}

function moveMetadata(root: Writable, scope: FileScope): void {
  for (const name of ['authors', 'tags', 'version']) {
    const value = root[name]
    if (value === undefined) continue
    delete root[name]
    scope.warn([name], `'${name}' belongs under 'metadata'.`)
    const metadata = isFields(root['metadata']) ? root['metadata'] : {}
    root['metadata'] = { [name]: value, ...metadata }
  }
}

function migrateModel(root: Writable, given: Fields, scope: FileScope): void {
  const { api, configuration, parameters, ...rest } = given
  const model: Writable = { ...rest }
  if (api !== undefined) {
    scope.warn(['model', 'api'], "'api' is an older form of 'apiType'.")
    model['apiType'] ??= api
  }
  if (isFields(configuration)) {
    scope.warn(['model', 'configuration'], "'configuration' is an older form of 'connection'.")
    migrateConfiguration(model, configuration)
  }
  if (isFields(parameters)) {
    scope.warn(['model', 'parameters'], "'parameters' is an older form of 'options'.")
    const { tools, ...options } = parameters
    if (tools !== undefined) root['tools'] ??= tools
    model['options'] = { ...renamed(options, OPTION_NAMES), ...(isFields(model['options']) ? model['options'] : {}) }
  }
  root['model'] = model
}

const OPTION_NAMES: Readonly<Record<string, string>> = {
  max_tokens: 'maxOutputTokens',
  max_completion_tokens: 'maxOutputTokens',
  top_p: 'topP',
  top_k: 'topK',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  stop: 'stopSequences',
}
const CONNECTION_NAMES: Readonly<Record<string, string>> = {
  azure_endpoint: 'endpoint',
  base_url: 'endpoint',
  api_key: 'apiKey',
}

function migrateConfiguration(model: Writable, configuration: Fields): void {
  const { type, azure_deployment: deployment, name, ...rest } = configuration
  const isAzure = type === 'azure_openai' || type === 'azure'
  if (isAzure) model['provider'] ??= 'foundry'
  else if (type === 'openai') model['provider'] ??= 'openai'
  const id = isAzure ? deployment : type === 'openai' ? name : undefined
  if (id !== undefined) model['id'] ??= id
  const known = isAzure || type === 'openai' || type === undefined
  const kept = !known && name !== undefined ? { name } : {}
  model['connection'] ??= { kind: known ? 'key' : (type ?? 'key'), ...kept, ...renamed(rest, CONNECTION_NAMES) }
}

function renamed(fields: Fields, names: Readonly<Record<string, string>>): Writable {
  const out: Writable = {}
  for (const [name, value] of Object.entries(fields)) {
    const isStop = name === 'stop' && typeof value === 'string'
    out[names[name] ?? name] = isStop ? [value] : value
  }
  return out
}

function migrateTemplate(root: Writable, scope: FileScope): void {
  const { template } = root
  if (typeof template === 'string') {
    scope.warn(['template'], `write 'template: { format: ${template} }'.`)
    root['template'] = { format: { kind: template } }
  } else if (isFields(template) && typeof template['type'] === 'string') {
    const { type, ...rest } = template
    scope.warn(['template', 'type'], "'type' is an older form of 'format'.")
    root['template'] = { format: { kind: type }, ...rest }
  }
}
