import { ParleyError } from '@parley/core'
import type { KeyPath } from '../schema/config.ts'
import { startsWith, writtenKey, type ConfigDraft } from '../parse/config-draft.ts'
import { hintOf } from '@parley/core'
import { keyText, problemsError, type Problem } from '../parse/problem.ts'

/** A name that the program does not know. */
export interface UnknownName {
  /** The kind of object that the name refers to, for example `tool`. */
  readonly what: string
  readonly name: string
  readonly known: readonly string[]
}

/** Collects problems, so that one error shows them all. */
export interface Reporter {
  report(key: KeyPath, detail: Problem['detail']): void
  /** Whether the value at a key, or one above it, has a problem already. */
  isFaulty(key: KeyPath): boolean
  /** Reports a name that the program does not know. */
  unknown(key: KeyPath, unknown: UnknownName): void
  /** Returns what `make` returns. If it throws a `ParleyError`, reports it below `key` and returns `undefined`. */
  attempt<TMade>(key: KeyPath, make: () => TMade): TMade | undefined
  /** Reports a `ParleyError` about `key`. Throws any other error. */
  fail(key: KeyPath, error: unknown): void
  /** Ends the collection. @throws ParleyError `config-invalid` with all reported problems, if there are any. */
  check(): void
}

/** Creates a reporter that begins with the problems of the draft. It does not report problems that only follow from these. */
export function createReporter({ source, problems: known, dropped }: Omit<ConfigDraft, 'data'>): Reporter {
  const problems: Problem[] = [...known]
  const faulty = [...known.flatMap(({ key, meant }) => [key, ...(meant === undefined ? [] : [meant])]), ...dropped]
  const isFaulty = (key: KeyPath): boolean => faulty.some(start => start.length > 0 && startsWith(key, start))
  // An object may lack only the key that the author misspelt.
  const misspelt = known.flatMap(({ meant }) => (meant === undefined ? [] : [keyText(meant.slice(0, -1))]))
  function report(composed: KeyPath, detail: Problem['detail']): void {
    const key = writtenKey(composed, dropped)
    if (!isFaulty(key) && !misspelt.includes(keyText(key))) problems.push({ key, detail })
  }
  const isDropped = (name: string): boolean => dropped.some(key => key.length === 2 && key[1] === name)
  const fail = (key: KeyPath, error: unknown): void => {
    if (!ParleyError.is(error)) throw error
    if (error.info.code !== 'config-invalid') return report(key, `cannot be used: ${error.message}`)
    const { detail, path } = error.info
    if (path === key.join('.')) return report(key, detail)
    const below = keyBelow(key, path)
    // Most details continue the key: "limits.maxCost must be …". A detail that is a sentence of its own cannot.
    const said = /^[A-Z]/.test(detail) ? `cannot be used: ${detail}` : detail
    report(below, below.length > key.length ? said : `cannot be used: ${error.message}`)
  }
  return {
    report,
    isFaulty,
    unknown(key, { what, name, known }) {
      if (isDropped(name)) return
      // The error shows the text of the file: a value from the environment may be a secret.
      const written = source.written(writtenKey(key, dropped))
      const shown = typeof written === 'string' ? written : name
      report(key, () => `names the ${what} '${shown}', which is not registered; ${hintOf(name, known)}`)
    },
    attempt(key, make) {
      try {
        return make()
      } catch (error) {
        fail(key, error)
        return undefined
      }
    },
    fail,
    check() {
      if (problems.length > 0) throw problemsError(problems, source)
    },
  }
}

/** Turns the path of an error, `agents.clerk.limits.maxCost` or `policy.maxTokens`, into a key below the given one. */
function keyBelow(key: KeyPath, path: string): KeyPath {
  const whole = `${key.join('.')}.`
  const rest = path.startsWith(whole) ? path.slice(whole.length) : path.replace(/^[^.]*\.(?=[^.]+$)/, '')
  const parts = rest.split(/[.[\]]+/).filter(part => part !== '')
  return parts.every(part => /^[\w-]+$/.test(part))
    ? [...key, ...parts.map(part => (/^\d+$/.test(part) ? Number(part) : part))]
    : key
}
