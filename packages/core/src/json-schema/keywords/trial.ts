import { spend } from '../../pattern/work.ts'
import type { ValidationIssue } from '../../schema/error-info.ts'
import type { Check, Run } from '../check.ts'
import { Evaluated } from '../evaluated.ts'

/** Returns `undefined` if the value fits, otherwise the issues. The issues do not count for the run. */
export type Trial = (value: unknown, at: string, run: Run) => readonly ValidationIssue[] | undefined

/** Runs a check whose failure may be accepted. What a failed check has looked at stays unevaluated. */
export function toTrial(check: Check): Trial {
  return (value, at, run) => {
    spend(run, 5)
    const { issues, evaluated } = run
    run.issues = []
    if (evaluated !== undefined) run.evaluated = new Evaluated()
    const fits = check(value, at, run)
    const own = run.issues
    if (fits && run.evaluated !== undefined) evaluated?.add(run.evaluated, run)
    run.issues = issues
    run.evaluated = evaluated
    return fits ? undefined : own
  }
}
