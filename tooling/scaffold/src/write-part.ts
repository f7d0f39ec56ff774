import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export const PART_KINDS = ['provider', 'store', 'middleware', 'tool'] as const
/** What can be scaffolded. */
export type PartKind = (typeof PART_KINDS)[number]

/** A part to write. */
export interface NewPart {
  readonly kind: PartKind
  /** Its name: lower-case words joined by hyphens. */
  readonly name: string
  /** Root of the repository. */
  readonly root: string
}

const TEMPLATES = join(import.meta.dirname, '../templates')

/** Folders of the parts. Providers and stores are packages; middleware and tools are subpaths of one. */
const PLACES: Readonly<Record<PartKind, (name: string) => string>> = {
  provider: name => `packages/providers/${name}`,
  store: name => `packages/stores/${name}`,
  middleware: name => `packages/middleware/src/${name}`,
  tool: name => `packages/tools/src/${name}`,
}

/** Package whose manifest and build get a new subpath. */
const HOSTS: Readonly<Partial<Record<PartKind, string>>> = { middleware: 'packages/middleware', tool: 'packages/tools' }

/**
 * Writes the files of a new part with its tests.
 * @returns Their paths from the root.
 * @throws An error if the name is invalid or the folder exists.
 */
export async function writePart({ kind, name, root }: NewPart): Promise<readonly string[]> {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    throw new Error(`${name}: cannot be the name of a part; use lower-case words joined by hyphens`)
  const place = PLACES[kind](name)
  if (existsSync(join(root, place))) throw new Error(`${place}: exists already; choose another name`)
  const template = join(TEMPLATES, kind)
  const host = HOSTS[kind]
  const written: string[] = []
  for (const entry of await readdir(template, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const inner = join(entry.parentPath, entry.name).slice(template.length + 1)
    const file = join(place, rename(fileOf(inner, host), name))
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), rename(await readFile(join(template, inner), 'utf8'), name))
    written.push(file)
  }
  if (host !== undefined) written.push(...(await addSubpath({ root, host, name })))
  return written.toSorted()
}

/** Templates have names that the tools of this repository do not mistake for packages and tests. */
function fileOf(inner: string, host: string | undefined): string {
  if (inner === 'manifest.json') return 'package.json'
  return inner.replace(/^source\//, host === undefined ? 'src/' : '')
}

/** Replaces the name of the templates, in each way of writing it. */
function rename(text: string, name: string): string {
  const words = name.split('-')
  const pascal = words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return text
    .replaceAll('own-part', name)
    .replaceAll('own_part', words.join('_'))
    .replaceAll('OWN_PART', words.join('_').toUpperCase())
    .replaceAll('OwnPart', pascal)
    .replaceAll('ownPart', pascal.charAt(0).toLowerCase() + pascal.slice(1))
}

interface Subpath {
  readonly root: string
  readonly host: string
  readonly name: string
}

async function addSubpath({ root, host, name }: Subpath): Promise<readonly string[]> {
  const manifest = join(host, 'package.json')
  const build = join(host, 'tsup.config.ts')
  const content = JSON.parse(await readFile(join(root, manifest), 'utf8')) as {
    exports: Record<string, object>
    publishConfig: { exports: Record<string, object> }
  }
  const published = { types: `./dist/${name}/index.d.ts`, default: `./dist/${name}/index.js` }
  const { './package.json': own = {}, ...others } = content.exports
  content.exports = {
    ...others,
    [`./${name}`]: { '@parley/source': `./src/${name}/index.ts`, ...published },
    './package.json': own,
  }
  const { './package.json': ownPublished = {}, ...othersPublished } = content.publishConfig.exports
  content.publishConfig.exports = { ...othersPublished, [`./${name}`]: published, './package.json': ownPublished }
  await writeFile(join(root, manifest), `${JSON.stringify(content, null, 2)}\n`)
  const text = await readFile(join(root, build), 'utf8')
  await writeFile(
    join(root, build),
    text.replace('  entry: {\n', `  entry: {\n    '${name}/index': 'src/${name}/index.ts',\n`),
  )
  return [manifest, build]
}
