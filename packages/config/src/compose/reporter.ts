import { ParleyError } from '@parley/core'
import type { ConfigSource, KeyPath } from '../config.ts'
import { hintOf } from '../parse/nearest-name.ts'
import { problemsError, type Problem } from '../parse/problem.ts'

export interface UnknownName {
  /** Of what kind it would be: `tool`. */
  readonly what: string
  readonly name: string
  readonly known: readonly string[]
}

/** Collects what is wrong, so that all of it is said at once. */
export interface Reporter {
  report(key: KeyPath, detail: string): void
  /** A name the program does not know. */
  unknown(key: KeyPath, unknown: UnknownName): void
  /** What `make` gives; undefined when it finds something wrong, which is reported below `key`. */
  attempt<TMade>(key: KeyPath, make: () => TMade): TMade | undefined
  /** Reports an error about `key`. What is no failure anybody foresaw is thrown on. */
  fail(key: KeyPath, error: unknown): void
  /** @throws ParleyError `config-invalid` when anything was reported. */
  check(): void
}

export function createReporter(source: ConfigSource): Reporter {
  const problems: Problem[] = []
  const report = (key: KeyPath, detail: string): void => void problems.push({ key, detail })
  const fail = (key: KeyPath, error: unknown): void => {
    if (!ParleyError.is(error)) throw error
    if (error.info.code !== 'config-invalid') return report(key, `cannot be used: ${error.message}`)
    const below = keyBelow(key, error.info.path)
    const { detail } = error.info
    // Most details go on after the key; a sentence of its own does not.
    const said = /^[A-Z]/.test(detail) ? `cannot be used: ${detail}` : detail
    report(below, below.length > key.length ? said : `cannot be used: ${error.message}`)
  }
  return {
    report,
    unknown(key, { what, name, known }) {
      // As it is written: what the environment put there may be no name at all.
      const written = source.written(key)
      const shown = typeof written === 'string' ? written : name
      report(key, `names the ${what} '${shown}', which is not registered; ${hintOf(name, known, 'none is')}`)
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

/** `agents.clerk.limits.maxCost`, or `policy.maxTokens`, as a key below the one the work was about. */
function keyBelow(key: KeyPath, path: string): KeyPath {
  const whole = `${key.join('.')}.`
  const rest = path.startsWith(whole) ? path.slice(whole.length) : path.replace(/^[^.]*\.(?=[^.]+$)/, '')
  const parts = rest.split(/[.[\]]+/).filter(part => part !== '')
  return parts.every(part => /^[\w-]+$/.test(part))
    ? [...key, ...parts.map(part => (/^\d+$/.test(part) ? Number(part) : part))]
    : key
}
