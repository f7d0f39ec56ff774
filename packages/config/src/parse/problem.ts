import { ParleyError } from '@parley/core'
import type { ConfigSource, KeyPath } from '../schema/config.ts'

/** A problem of a configuration. */
export interface Problem {
  readonly key: KeyPath
  /** The text after the key: `is missing`. A function if the text takes time to find: a file may have thousands of problems. */
  readonly detail: string | (() => string)
  /** Line of the problem, from 1. @default the line of the key */
  readonly line?: number | undefined
  /** The key that the author most likely meant, for an unknown key. @default none */
  readonly meant?: KeyPath | undefined
}

/** Largest number of problems in one error. More problems usually have one cause, such as a file of another program. */
const MOST_SHOWN = 100

/** Makes one `config-invalid` error of the problems, in the order of their lines. Its path is the file. */
export function problemsError(problems: readonly Problem[], source: ConfigSource): ParleyError {
  const placed = problems.map(problem => ({ ...problem, line: problem.line ?? source.lineOf(problem.key) }))
  const sorted = placed.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
  const said = [...new Set(sorted.slice(0, MOST_SHOWN).map(toSentence))]
  const more = Math.max(0, sorted.length - MOST_SHOWN)
  const list = said.map((text, at) => `\n(${at + 1}) ${text}`).join('')
  const detail =
    said.length === 1 && more === 0
      ? said.join('')
      : `${said.length + more} problems:${list}${more === 0 ? '' : `\nand ${more} more`}`
  return new ParleyError({ code: 'config-invalid', path: source.path, detail: hide(detail, source.secrets) })
}

/** Writes a key as `agents.clerk.tools[0]`. A name with other characters is quoted. */
export function keyText(key: KeyPath): string {
  return key.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    if (!/^[\w$-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

function toSentence({ key, detail, line }: Problem): string {
  const sentence = `${keyText(key)} ${typeof detail === 'string' ? detail : detail()}`.trim()
  return line === undefined ? sentence : `line ${line}: ${sentence}`
}

/** Hides secrets: the message of a provider factory may repeat the key that it was given. */
function hide(text: string, secrets: ReadonlySet<string>): string {
  const longestFirst = [...secrets].filter(secret => secret.length >= SHORTEST_SECRET)
  longestFirst.sort((one, other) => other.length - one.length)
  return longestFirst.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}

/** Smallest length of a secret that errors hide. A shorter secret would also hide parts of ordinary words. */
const SHORTEST_SECRET = 6
