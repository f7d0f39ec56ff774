import { ParleyError, type Json } from '@parley/core'
import { parse as parseYaml } from 'yaml'
import { isFields, type FileScope, type KeyPath } from './file-scope.ts'
import type { PromptyFiles } from './prompty-files.ts'
import { yamlExcess } from './yaml-excess.ts'

export interface ReferenceOptions {
  readonly scope: FileScope
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly files: PromptyFiles | undefined
  /** The path of the prompt file. File references are relative to its folder. */
  readonly path: string
}

const DEEPEST = 100

/**
 * Replaces strings that consist of one reference: `${env:NAME}`, `${env:NAME:default}` or `${file:path}`. Inserted values are not
 * scanned for references, except the content of a JSON or YAML file.
 * @throws ParleyError `config-invalid` if a variable is not set, or a file is missing or not allowed.
 */
export function resolveReferences(value: Json, options: ReferenceOptions): Promise<Json> {
  return resolve(value, { ...options, key: [], within: [] })
}

interface Place extends ReferenceOptions {
  readonly key: KeyPath
  /** The files that contain this value, outermost first. */
  readonly within: readonly string[]
}

async function resolve(value: Json, place: Place): Promise<Json> {
  if (typeof value === 'string') return resolveText(value, place)
  if (typeof value !== 'object' || value === null) return value
  if (place.key.length > DEEPEST) place.scope.fail(place.key, `is nested more than ${DEEPEST} deep.`)
  const below = (part: string | number): Place => ({ ...place, key: [...place.key, part] })
  if (Array.isArray(value)) return Promise.all(value.map((item, index) => resolve(item, below(index))))
  const entries = Object.entries(value).map(async ([name, item]) => [name, await resolve(item, below(name))] as const)
  return Object.fromEntries(await Promise.all(entries))
}

function resolveText(text: string, place: Place): Json | Promise<Json> {
  if (!text.startsWith('${') || !text.endsWith('}')) return text
  const inner = text.slice(2, -1)
  const colon = inner.indexOf(':')
  if (colon < 0) return text
  const argument = inner.slice(colon + 1)
  switch (inner.slice(0, colon).toLowerCase()) {
    case 'env':
      return resolveVariable(argument, place)
    case 'file':
      return resolveFile(argument, place)
    default:
      return text
  }
}

function resolveVariable(argument: string, { scope, environment, key }: Place): string {
  const colon = argument.indexOf(':')
  const name = colon < 0 ? argument : argument.slice(0, colon)
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined
  if (value !== undefined) return value
  if (colon >= 0) return argument.slice(colon + 1)
  return scope.fail(key, `Environment variable '${name}' not set. Set it, or write a default: \${env:${name}:default}.`)
}

async function resolveFile(reference: string, place: Place): Promise<Json> {
  const { scope, files, key, path, within } = place
  if (files === undefined) return scope.fail(key, `refers to the file '${reference}', but no files can be read here.`)
  if (within.includes(reference)) return scope.fail(key, `${[...within, reference].join(' → ')} refers to itself.`)
  const bytes = await readOrFail(files, reference, place)
  const text = new TextDecoder().decode(bytes)
  if (!/\.(json|ya?ml)$/i.test(reference)) return text
  const value = parseData(text, reference, detail => scope.fail(key, `'${reference}' cannot be read: ${detail}`))
  if (isFields(value) || Array.isArray(value)) return resolve(value, { ...place, path, within: [...within, reference] })
  return value
}

async function readOrFail(files: PromptyFiles, reference: string, { scope, key, path }: Place): Promise<Uint8Array> {
  try {
    return await files.readReference(reference, { from: path })
  } catch (error) {
    if (!ParleyError.is(error)) throw error
    const { info } = error
    if (info.code === 'path-refused')
      return scope.fail(key, `the file '${reference}' is outside allowed roots: ${info.detail}`, error)
    if (info.code === 'file-unreadable')
      return scope.fail(key, `the file '${reference}' is not found or cannot be read: ${info.detail}`, error)
    throw error
  }
}

function parseData(text: string, name: string, refuse: (detail: string) => never): Json {
  try {
    if (/\.json$/i.test(name)) return JSON.parse(text) as Json
    const excess = yamlExcess(text)
    return excess === undefined ? ((parseYaml(text, { maxAliasCount: 100 }) ?? null) as Json) : refuse(excess)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}
