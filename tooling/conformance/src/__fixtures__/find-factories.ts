import ts from 'typescript'
import type { PublicExports } from './public-exports.ts'

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

/** Finds the exported functions with options. */
export function findFactories({ checker, exported }: PublicExports): readonly Factory[] {
  return exported.flatMap(({ entry, name, symbol }) =>
    optionPositions(symbol, checker).map(position => {
      return { name: `${entry.name} ${name}`, file: entry.file, exportName: name, position }
    }),
  )
}

/** Positions of the parameters that are options. */
function optionPositions(symbol: ts.Symbol, checker: ts.TypeChecker): readonly number[] {
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
