import { access, appendFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkOptions, type OptionKinds } from '@parley/core'
import { namesOf, PROVIDERS, STORES } from './choices.ts'
import { copyParts, envLines } from './create-project.ts'
import { packageRoot, parleyRange, readManifest } from './package-root.ts'
import { resolveDependencies, type Parts } from './resolve-dependencies.ts'
import { SetupError } from './setup-error.ts'

/** An existing project that gets an agent. */
export interface AdditionOptions extends Parts {
  /** The folder with the project's package.json. */
  readonly folder: string
  /** The folder for the new files, below `folder`. */
  readonly into: string
}

const OPTIONS: OptionKinds<AdditionOptions> = {
  folder: 'string!',
  into: 'string!',
  provider: namesOf(PROVIDERS),
  store: namesOf(STORES),
}

const FILES: readonly string[] = ['agent.ts', 'main.ts']

/**
 * Adds the agent of the minimal template to an existing project: its files, its dependencies, `.env.example`, and what git must ignore. Changes
 * no source file of the project.
 * @returns The paths of the written files, below `folder`.
 * @throws ParleyError `config-invalid` if an option is unknown or has a wrong type.
 * @throws SetupError if `folder` has no package.json, or a file would be overwritten.
 */
export async function addToProject(options: AdditionOptions): Promise<readonly string[]> {
  checkOptions('addToProject', options, OPTIONS)
  const { folder, into, ...parts } = options
  const path = join(folder, 'package.json')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new SetupError(path, `is missing; run this in a project, or create one with \`npm create parley\``)
  })
  const written = [...FILES, 'model.ts', 'store.ts'].map(file => join(into, file))
  for (const file of written)
    if (await exists(join(folder, file)))
      throw new SetupError(file, `exists already; choose another folder with --into`)

  const template = new URL('templates/minimal/', packageRoot)
  const { dependencies: own = {}, devDependencies: tools = {} } = await readManifest(new URL('package.json', template))
  const added = resolveDependencies(own, parts, await parleyRange())
  const manifest = JSON.parse(text) as { [TKey in 'dependencies' | 'devDependencies']?: Record<string, string> }
  const dependencies = { ...added, ...manifest.dependencies }
  // The files use `process`.
  const devDependencies = { '@types/node': tools['@types/node'] ?? '*', ...manifest.devDependencies }
  const indent = /^[\t ]+(?=")/m.exec(text)?.[0] ?? '  '
  await mkdir(join(folder, into), { recursive: true })
  for (const file of FILES) await cp(new URL(`src/${file}`, template), join(folder, into, file))
  await copyParts(join(folder, into), parts)
  await writeFile(path, `${JSON.stringify({ ...manifest, dependencies, devDependencies }, null, indent)}\n`)
  await appendFile(join(folder, '.env.example'), envLines(parts))
  await ignoreLocalFiles(join(folder, '.gitignore'))
  return [...written, '.env.example']
}

/** Keeps keys and runs out of the repository of the project. */
async function ignoreLocalFiles(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const ignored = new Set(text.split('\n').map(line => line.trim().replace(/\/$/, '')))
  const missing = ['.env', '.parley'].filter(name => !ignored.has(name))
  if (missing.length === 0) return
  const separator = text === '' || text.endsWith('\n') ? '' : '\n'
  await appendFile(path, `${separator}${missing.join('\n')}\n`)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
