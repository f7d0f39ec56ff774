import { checkOptions, ParleyError, type Json, type OptionKinds } from '@parley/core'
import { isFields, type Fields, type FileScope } from './file-scope.ts'
import { migrateLegacy } from './migrate-legacy.ts'
import { parseFrontmatter } from './parse-frontmatter.ts'
import type { PromptyAgent } from './prompty-agent.ts'
import type { PromptyFiles } from './prompty-files.ts'
import { readModel } from './read-model.ts'
import { readProperties } from './read-properties.ts'
import { readTemplate } from './read-template.ts'
import { readTools } from './read-tools.ts'
import { resolveReferences } from './resolve-references.ts'
import { splitFrontmatter } from './split-frontmatter.ts'

/** Options of `parsePrompty`. */
export interface ParsePromptyOptions {
  /** The path of the file: its name in errors, and the start of `${file:…}` paths. @default none, errors say 'prompt' */
  readonly path?: string | undefined
  /** The variables that `${env:…}` reads. @default {} */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** The files that `${file:…}` reads. @default none: such a reference is an error */
  readonly files?: PromptyFiles | undefined
}

const TOP_LEVEL = new Set([
  'name',
  'displayName',
  'description',
  'metadata',
  'model',
  'inputs',
  'outputs',
  'tools',
  'template',
  'kind',
])

const OPTIONS: OptionKinds<ParsePromptyOptions> = {
  path: 'string',
  environment: 'object',
  files: 'object',
}

/**
 * Parses the text of a `.prompty` file: frontmatter and body. Older forms are migrated, each with a warning. The frontmatter is
 * data and is never evaluated.
 * @throws ParleyError `config-invalid` with file, line and key.
 */
export async function parsePrompty(text: string, options: ParsePromptyOptions = {}): Promise<PromptyAgent> {
  checkOptions('parsePrompty', options, OPTIONS)
  const { path, environment = {}, files } = options
  const place = path ?? 'prompt'
  const halves = splitFrontmatter(text)
  if (typeof halves === 'string')
    throw new ParleyError({ code: 'config-invalid', path: place, detail: `invalid frontmatter: ${halves}` })
  const warnings: string[] = []
  const { frontmatter, firstLine, body } = halves
  const { fields, scope } = parseFrontmatter({ text: frontmatter, firstLine, path: place, warnings })
  const resolved = await resolveReferences({ ...fields }, { scope, environment, files, path: place })
  const root = migrateLegacy(resolved as Fields, scope)
  for (const key of Object.keys(root)) if (!TOP_LEVEL.has(key)) scope.warn([key], 'is an unknown field and is ignored.')
  const model = readModel(root['model'], scope)
  return {
    ...textField(root, 'name', scope),
    ...textField(root, 'displayName', scope),
    ...textField(root, 'description', scope),
    metadata: readMetadata(root['metadata'], scope),
    ...(model === undefined ? {} : { model }),
    inputs: readProperties(root['inputs'], ['inputs'], scope),
    outputs: readProperties(root['outputs'], ['outputs'], scope),
    tools: readTools(root['tools'], scope),
    template: readTemplate(root['template'], scope),
    instructions: body,
    ...(path === undefined ? {} : { path }),
    warnings,
  }
}

function textField(root: Fields, name: string, scope: FileScope): Readonly<Record<string, string>> {
  const value = root[name]
  if (value === undefined || value === null) return {}
  if (typeof value === 'object') return scope.fail([name], 'must be a string.')
  return { [name]: String(value) }
}

function readMetadata(value: Json | undefined, scope: FileScope): Fields {
  if (value === undefined || value === null) return {}
  return isFields(value) ? value : scope.fail(['metadata'], 'must be a map.')
}
