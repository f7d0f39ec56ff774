import { isJson, ParleyError, refuseOption } from '@parley/core'
import type { EvalCase, EvalData } from './eval-case.ts'

/**
 * Loads and checks the cases of an eval.
 * @throws ParleyError `config-invalid` if there is no case, if an id is missing or occurs twice, or if a case is not JSON; and what
 * the data's own function throws.
 */
export async function loadCases(name: string, data: EvalData): Promise<readonly EvalCase[]> {
  const where = `evals.${name}.data`
  const cases: readonly EvalCase[] = typeof data === 'function' ? await data() : data
  if (!Array.isArray(cases)) refuseOption(where, 'must be a list of cases, or a function that returns one')
  if (cases.length === 0) refuseOption(where, 'is empty; add at least one case')
  checkCases(where, cases)
  return cases
}

/** Checks ids and values. @throws ParleyError `config-invalid` with the position of the first invalid case. */
function checkCases(where: string, cases: readonly EvalCase[]): void {
  const first = new Map<string, number>()
  for (const [index, each] of cases.entries()) {
    const at = `${where}[${index}]`
    const { id, input, expected, metadata } = checkObject(at, each)
    if (typeof id !== 'string' || id === '') refuseOption(`${at}.id`, 'is missing; must be a text that stays the same')
    const before = first.get(id)
    if (before !== undefined)
      refuseOption(`${at}.id`, `'${id}' is also the id of ${where}[${before}]; ids must be unique`)
    first.set(id, index)
    if (input === undefined) refuseOption(`${at}.input`, 'is missing')
    for (const [field, value] of Object.entries({ input, expected, metadata }))
      if (value !== undefined && !isJson(value)) refuseOption(`${at}.${field}`, 'must be JSON, because runs keep it')
  }
}

function checkObject(path: string, value: EvalCase): EvalCase {
  if (typeof value === 'object' && (value as unknown) !== null) return value
  throw new ParleyError({ code: 'config-invalid', path, detail: 'must be a case: { id, input, expected }' })
}
