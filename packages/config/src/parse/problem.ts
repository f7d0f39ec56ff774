import { ParleyError } from '@parley/core'
import type { ConfigSource, KeyPath } from '../config.ts'

/** Something that is wrong with a configuration. */
export interface Problem {
  readonly key: KeyPath
  /** What goes after the key: `is missing`, say. */
  readonly detail: string
  /** @default found by the key */
  readonly line?: number | undefined
}

/**
 * All of them in one error, in the order of their lines.
 * @returns ParleyError `config-invalid` whose path is the file.
 */
export function problemsError(problems: readonly Problem[], source: ConfigSource): ParleyError {
  const placed = problems.map(problem => ({ ...problem, line: problem.line ?? source.lineOf(problem.key) }))
  const sorted = placed.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
  const said = [...new Set(sorted.map(toSentence))]
  const detail =
    said.length === 1
      ? said.join('')
      : `${said.length} problems:${said.map((text, at) => `\n(${at + 1}) ${text}`).join('')}`
  return new ParleyError({ code: 'config-invalid', path: source.path, detail: hide(detail, source.secrets) })
}

/** `agents.clerk.tools[0]`; a name that is no word is put in quotes. */
export function keyText(key: KeyPath): string {
  return key.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    if (!/^[\w$-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

function toSentence({ key, detail, line }: Problem): string {
  const sentence = `${keyText(key)} ${detail}`.trim()
  return line === undefined ? sentence : `line ${line}: ${sentence}`
}

/** Texts of others may hold what they were given. */
function hide(text: string, secrets: ReadonlySet<string>): string {
  const longestFirst = [...secrets].filter(secret => secret.length >= SHORTEST_SECRET)
  longestFirst.sort((one, other) => other.length - one.length)
  return longestFirst.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}

/** What is shorter protects nothing, and is part of ordinary words. */
const SHORTEST_SECRET = 6
