import { join } from 'node:path'
import ts from 'typescript'

/** Returns the exported names of modules that have no TSDoc, each with its file. A name without declarations is left out. */
export function undocumentedExports(root: string, files: readonly string[]): readonly string[] {
  const options = { noLib: true, noResolve: false, allowImportingTsExtensions: true, noEmit: true, types: [] }
  const resolution = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }
  const program = ts.createProgram(
    files.map(file => join(root, file)),
    { ...options, ...resolution },
  )
  const checker = program.getTypeChecker()
  return files.flatMap(file => {
    const source = program.getSourceFile(join(root, file))
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
    if (module === undefined) return [`${file} has no exports`]
    return checker
      .getExportsOfModule(module)
      .filter(symbol => !isDocumented(symbol, checker))
      .map(symbol => `${file}: ${symbol.name}`)
  })
}

function isDocumented(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const { declarations = [] } = target
  return declarations.length === 0 || target.getDocumentationComment(checker).length > 0
}
