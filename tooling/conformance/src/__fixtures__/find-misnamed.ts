import ts from 'typescript'
import type { PublicExports } from './public-exports.ts'

/** Verbs of functions that make a part: plain data, something that holds memory, something to close. */
const MAKES = ['define', 'create', 'open']
/** Verbs of functions that get a part from another part, from files, from text, or from what runs. */
const GETS = ['with', 'load', 'parse', 'read', 'compose', 'compile', 'encode', 'connect', 'find']

const BEGINS_WITH_VERB = new RegExp(`^(${[...MAKES, ...GETS].join('|')})([A-Z]|$)`)

/** What a field of an agent takes as it is: `tools: [agentTool(a)]`, `middleware: [loopGuard()]`. */
const AGENT_FIELDS = ['Tool', 'ToolSource', 'Model', 'Middleware', 'ContextPolicy', 'InputFilter', 'ApprovalHandler']
/** What a field of an eval takes as it is: `task: agentTask(a)`, `scorers: [exact()]`. */
const EVAL_FIELDS = ['Scorer', 'Task']

/** A function whose name breaks the rule. */
export interface Misnamed {
  /** Entry and name, for example `@parley/core createSteadyClock`. */
  readonly name: string
  /** The type of the part. */
  readonly returns: string
}

/**
 * Returns the functions whose name breaks the rule: a function that returns a part begins with a verb. A part is an object with
 * methods, or a function. Only parts that a field of an agent or of an eval takes may have a bare name.
 */
export function findMisnamed({ checker, exported }: PublicExports): readonly Misnamed[] {
  return exported.flatMap(({ entry, name, symbol }) => {
    if (!(symbol.flags & ts.SymbolFlags.Value) || BEGINS_WITH_VERB.test(name)) return []
    const signatures = checker.getTypeOfSymbol(symbol).getCallSignatures()
    const made = signatures.flatMap(signature => returnedTypes(signature.getReturnType(), checker))
    const part = made.find(type => isPart(type, checker) && !isOf(type, [...AGENT_FIELDS, ...EVAL_FIELDS, 'Error']))
    return part === undefined ? [] : [{ name: `${entry.name} ${name}`, returns: checker.typeToString(part) }]
  })
}

/** The type, the value of a promise, the elements of a list, and the members of a union. */
function returnedTypes(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  const awaited = checker.getAwaitedType(type) ?? type
  if (awaited.isUnion()) return awaited.types.flatMap(member => returnedTypes(member, checker))
  if (checker.isArrayType(awaited)) return checker.getTypeArguments(awaited as ts.TypeReference)
  return [awaited]
}

function isPart(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!(type.flags & ts.TypeFlags.Object)) return false
  if (type.getCallSignatures().length > 0) return true
  if (type.getProperties().length === 0 || isOfPlatform(type)) return false
  return type.getProperties().some(property => {
    if (isOfPlatform(property)) return false
    return checker.getNonNullableType(checker.getTypeOfSymbol(property)).getCallSignatures().length > 0
  })
}

/** Whether JavaScript, the platform or another library declares the type or the method. */
function isOfPlatform(given: ts.Type | ts.Symbol): boolean {
  const symbol = 'getSymbol' in given ? (given.aliasSymbol ?? given.getSymbol()) : given
  const files = (symbol?.declarations ?? []).map(declaration => declaration.getSourceFile().fileName)
  return files.length > 0 && files.every(file => file.includes('node_modules'))
}

/** Whether the type has one of these names, or extends a type that has. */
function isOf(type: ts.Type, names: readonly string[]): boolean {
  const own = [type.aliasSymbol?.name, type.getSymbol()?.name].some(name => name !== undefined && names.includes(name))
  if (own || !(type.flags & ts.TypeFlags.Object)) return own
  // The bases of a generic class are those of its declaration.
  const { target = type } = type as Partial<ts.TypeReference>
  return (target.getBaseTypes() ?? []).some(base => isOf(base, names))
}
