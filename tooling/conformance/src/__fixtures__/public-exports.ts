import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** An entry of a published package, for example `@parley/core/schema`. */
export interface PublicEntry {
  readonly name: string
  /** The source file of the entry. */
  readonly file: string
}

/** A name that an entry exports. */
export interface PublicExport {
  readonly entry: PublicEntry
  readonly name: string
  /** The symbol behind the name, not an alias of it. */
  readonly symbol: ts.Symbol
}

/** The exports, and the checker that knows their types. */
export interface PublicExports {
  readonly checker: ts.TypeChecker
  readonly exported: readonly PublicExport[]
}

interface PackageFile {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string | { readonly '@parley/source'?: string }>>
}

/** Reads the exports of every entry of every published package, and of the entries in `more`. */
export function readPublicExports(root: string, more: readonly PublicEntry[] = []): PublicExports {
  const packages = globSync(['packages/*/package.json', 'packages/*/*/package.json', 'apps/*/package.json'], { cwd: root })
  const published = packages.filter(path => !path.includes('node_modules')).flatMap(path => entriesOf(join(root, path)))
  const entries = [...published, ...more]
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), path => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, root)
  const files = entries.map(({ file }) => file)
  const program = ts.createProgram(files, options)
  const checker = program.getTypeChecker()
  const exported = entries.flatMap(entry => {
    const source = program.getSourceFile(entry.file)
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
    if (module === undefined) return []
    return checker.getExportsOfModule(module).map(given => {
      const symbol = given.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(given) : given
      return { entry, name: given.name, symbol }
    })
  })
  return { checker, exported }
}

function entriesOf(path: string): readonly PublicEntry[] {
  const { name, private: isPrivate = false, exports = {} } = JSON.parse(readFileSync(path, 'utf8')) as PackageFile
  if (isPrivate) return []
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const source = typeof target === 'string' ? undefined : target['@parley/source']
    return source === undefined ? [] : [{ name: name + subpath.slice(1), file: join(dirname(path), source) }]
  })
}
