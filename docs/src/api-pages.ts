import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Application } from 'typedoc'
import { publishedPackages } from './published-packages.ts'
import { shortenTypes } from './shorten-types.ts'

/** Options of typedoc-plugin-markdown. */
const MARKDOWN = {
  outputFileStrategy: 'modules',
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  expandObjects: false,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  propertyMembersFormat: 'table',
}

/**
 * Writes the reference of every published entry point, one page for each, into a folder.
 * @param isWanted Chooses entry points by their name, such as `@parley/core`. By default every page is written.
 */
export async function writeApiPages(
  root: string,
  folder: string,
  isWanted: (name: string) => boolean = () => true,
): Promise<void> {
  const entries = publishedPackages(root)
    .flatMap(({ entries }) => Object.entries(entries))
    .filter(([name]) => isWanted(name))
  const byName = new Map(entries)
  const app = await Application.bootstrapWithPlugins({
    // TypeDoc would look for the name among its own packages.
    plugin: [fileURLToPath(import.meta.resolve('typedoc-plugin-markdown'))],
    entryPoints: [...byName.values()].map(path => join(root, path)),
    tsconfig: join(root, 'tsconfig.json'),
    basePath: root,
    out: folder,
    readme: 'none',
    name: 'API',
    skipErrorChecking: true,
    excludeExternals: true,
    excludePrivate: true,
    excludeInternal: true,
    disableSources: true,
    logLevel: 'Error',
    ...MARKDOWN,
  })
  const project = await app.convert()
  if (project === undefined) throw new Error('TypeDoc could not read the sources.')
  for (const module of project.children ?? []) {
    const file = [...byName].find(([, path]) => path.replace(/(?:\/index)?\.ts$/, '') === module.name)
    if (file !== undefined) [module.name] = file
  }
  await app.generateOutputs(project)
  for (const path of globSync('**/*.md', { cwd: folder }).map(file => join(folder, file)))
    // Vue must not read braces of types and templates as expressions.
    writeFileSync(path, `::: v-pre\n\n${shortenTypes(readFileSync(path, 'utf8'))}\n\n:::\n`)
}
