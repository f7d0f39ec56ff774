import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** An exported function that takes options. */
export interface Factory {
  /** Entry and name, for example `@parley/openai createOpenAI`. */
  readonly name: string
  /** The source file of the entry. */
  readonly file: string
  readonly exportName: string
  /** Position of the options among the arguments. */
  readonly position: number
}

/** Parameters with these types are options, although their names do not say so. */
const OPTION_TYPES = /(Options|Definition|Place|Hooks|Policy|PromptyHost|RenderRequest|Agent)$/

interface PackageFile {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string | { readonly '@parley/source'?: string }>>
}

/** Finds the exported functions with options in every entry of every published package. */
export function findFactories(root: string): readonly Factory[] {
  const entries = globSync(['packages/*/package.json', 'packages/*/*/package.json', 'apps/*/package.json'], { cwd: root })
    .filter(path => !path.includes('node_modules'))
    .flatMap(path => entriesOf(join(root, path)))
  const configPath = join(root, 'tsconfig.json')
  const { config } = ts.readConfigFile(configPath, path => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, root)
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    options,
  )
  const checker = program.getTypeChecker()
  return entries.flatMap(({ name, file }) => {
    const source = program.getSourceFile(file)
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
    if (module === undefined) return []
    return checker.getExportsOfModule(module).flatMap(symbol => {
      const position = optionsPosition(symbol, checker)
      return position < 0 ? [] : [{ name: `${name} ${symbol.name}`, file, exportName: symbol.name, position }]
    })
  })
}

function entriesOf(path: string): readonly { readonly name: string; readonly file: string }[] {
  const { name, private: isPrivate = false, exports = {} } = JSON.parse(readFileSync(path, 'utf8')) as PackageFile
  if (isPrivate) return []
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const source = typeof target === 'string' ? undefined : target['@parley/source']
    return source === undefined ? [] : [{ name: name + subpath.slice(1), file: join(dirname(path), source) }]
  })
}

/** Position of the first parameter that is options, or -1. */
function optionsPosition(exported: ts.Symbol, checker: ts.TypeChecker): number {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  if (!(symbol.flags & ts.SymbolFlags.Value)) return -1
  // The last overload has the most parameters.
  const signature = checker.getTypeOfSymbol(symbol).getCallSignatures().at(-1)
  return (signature?.parameters ?? []).findIndex(parameter => {
    const type = checker.getNonNullableType(checker.getTypeOfSymbol(parameter))
    const parts = type.isIntersection() ? type.types : [type]
    return parts.some(part => OPTION_TYPES.test((part.aliasSymbol ?? part.getSymbol())?.name ?? ''))
  })
}
