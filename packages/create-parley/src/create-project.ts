import { cp, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROVIDERS, STORES, type TemplateName } from './choices.ts'
import { packageRoot, parleyRange, readManifest } from './package-root.ts'
import { resolveDependencies, type Parts } from './resolve-dependencies.ts'
import { SetupError } from './setup-error.ts'

/** A project to create. */
export interface ProjectOptions extends Parts {
  /** The folder. It must be missing or empty. */
  readonly folder: string
  readonly template: TemplateName
}

/**
 * Creates a project from a template.
 * @throws SetupError if the folder has files, or its name cannot be the name of a package.
 */
export async function createProject({ folder, template, provider, store }: ProjectOptions): Promise<void> {
  const target = resolve(folder)
  const name = packageNameOf(target)
  await refuseFiles(target, folder)
  const source = fileURLToPath(new URL(`templates/${template}/`, packageRoot))
  const filter = (path: string): boolean => !path.slice(source.length).split('/').includes('node_modules')
  await mkdir(target, { recursive: true })
  await cp(source, target, { recursive: true, filter })
  // npm leaves files named `.gitignore` out of a package.
  await rename(join(target, 'gitignore'), join(target, '.gitignore'))
  await copyParts(join(target, 'src'), { provider, store })

  const manifest = await readManifest(join(target, 'package.json'))
  const range = await parleyRange()
  const dependencies = resolveDependencies(manifest.dependencies ?? {}, { provider, store }, range)
  const { devDependencies = {}, ...rest } = manifest
  const tools = Object.entries(devDependencies).map(([tool, version]): [string, string] => [
    tool,
    version.startsWith('workspace:') ? range : version,
  ])
  // The test of a template keeps runs in memory, whatever the program uses.
  const testing = store === 'memory' ? [] : [[STORES.memory.package, range] as const]
  const written = {
    ...rest,
    name,
    version: '0.1.0',
    dependencies,
    devDependencies: Object.fromEntries([...testing, ...tools].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
  await writeFile(join(target, 'package.json'), `${JSON.stringify(written, null, 2)}\n`)
  await writeFile(join(target, '.env.example'), envLines({ provider, store }))
}

/** Copies the files that choose the model and the store. */
export async function copyParts(folder: string, { provider, store }: Parts): Promise<void> {
  await cp(new URL(`parts/models/${provider}.ts`, packageRoot), join(folder, 'model.ts'))
  await cp(new URL(`parts/stores/${store}.ts`, packageRoot), join(folder, 'store.ts'))
}

/** The text of `.env.example`. */
export function envLines({ provider, store }: Parts): string {
  const lines = [...PROVIDERS[provider].env, ...STORES[store].env]
  return lines.length === 0 ? '# The chosen parts need no variables.\n' : `${lines.join('\n')}\n`
}

async function refuseFiles(target: string, given: string): Promise<void> {
  const found = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new SetupError(given, `${error.code === 'ENOTDIR' ? 'is a file' : error.message}; name another folder`)
  })
  if (found.some(name => name !== '.git'))
    throw new SetupError(given, `the folder is not empty; name another folder, or run \`parley init\` in it`)
}

function packageNameOf(target: string): string {
  const name = basename(target).toLowerCase()
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name))
    throw new SetupError(basename(target), `cannot be the name of a package; use letters, digits, - and _`)
  return name
}
