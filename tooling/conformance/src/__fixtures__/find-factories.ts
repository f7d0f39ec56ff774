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

/** Types of parameters that a user writes as an object literal. */
const OPTION_TYPES = /(Options|Definition|Place|Hooks|PromptyHost|RenderRequest|RetryPolicy)$/

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
      return optionPositions(symbol, checker).map(position => {
        return { name: `${name} ${symbol.name}`, file, exportName: symbol.name, position }
      })
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

/** Positions of the parameters that are options. */
function optionPositions(exported: ts.Symbol, checker: ts.TypeChecker): readonly number[] {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  if (!(symbol.flags & ts.SymbolFlags.Value)) return []
  const type = checker.getTypeOfSymbol(symbol)
  // The last overload has the most parameters.
  const signature = [...type.getConstructSignatures(), ...type.getCallSignatures()].at(-1)
  return (signature?.parameters ?? []).flatMap((parameter, position) =>
    // `ErrorOptions` is a type of JavaScript.
    namesOf(checker.getTypeOfSymbol(parameter), checker).some(name => OPTION_TYPES.test(name) && name !== 'ErrorOptions')
      ? [position]
      : [],
  )
}

function namesOf(given: ts.Type, checker: ts.TypeChecker): readonly string[] {
  const type = checker.getNonNullableType(given)
  const own = [type.aliasSymbol?.name, type.getSymbol()?.name].filter(name => name !== undefined)
  // A type parameter that is not null is an intersection with itself.
  const others = type.isUnionOrIntersection() ? type.types.filter(part => part !== given) : []
  const parts = others.flatMap(part => namesOf(part, checker))
  return [...own, ...parts]
}
