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
 * Adds the agent of the minimal template to an existing project. Changes no source file of it.
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
  const { dependencies: own = {} } = await readManifest(new URL('package.json', template))
  const added = resolveDependencies(own, parts, await parleyRange())
  const manifest = JSON.parse(text) as { dependencies?: Record<string, string> }
  const dependencies = { ...added, ...manifest.dependencies }
  const indent = /^[\t ]+(?=")/m.exec(text)?.[0] ?? '  '
  await mkdir(join(folder, into), { recursive: true })
  for (const file of FILES) await cp(new URL(`src/${file}`, template), join(folder, into, file))
  await copyParts(join(folder, into), parts)
  await writeFile(path, `${JSON.stringify({ ...manifest, dependencies }, null, indent)}\n`)
  await appendFile(join(folder, '.env.example'), envLines(parts))
  return [...written, '.env.example']
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
