import { ParleyError, type Json } from '@parley/core'

/** A file while it is read: the lines of its keys, and its warnings and errors. */
export interface FileScope {
  /** The line of a key, from 1. For a missing key, the line of its nearest parent, or `undefined`. */
  lineOf(key: KeyPath): number | undefined
  /** Adds a warning: the file is valid but should be written differently. */
  warn(key: KeyPath, sentence: string): void
  /** Rejects the file. @throws ParleyError `config-invalid` with file, line and key, always. */
  fail(key: KeyPath, detail: string, cause?: unknown): never
}

export type KeyPath = readonly (string | number)[]
export type Fields = Readonly<Record<string, Json>>

export interface FileScopeOptions {
  readonly path: string
  readonly lineOf: (key: KeyPath) => number | undefined
  readonly warnings: string[]
}

export function createFileScope({ path, lineOf, warnings }: FileScopeOptions): FileScope {
  const place = (key: KeyPath): string => {
    const line = lineOf(key)
    const name = keyName(key)
    return `${path}${line === undefined ? '' : `:${line}`}${name === '' ? '' : ` ${name}`}`
  }
  return {
    lineOf,
    warn: (key, sentence) => void warnings.push(`${place(key)}: ${sentence}`),
    fail(key, detail, cause) {
      throw new ParleyError({ code: 'config-invalid', path: place(key), detail }, { cause })
    },
  }
}

/** Writes a key as `tools[0].name`. */
function keyName(key: KeyPath): string {
  return key.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
