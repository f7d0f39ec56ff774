import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { checkOptions, ParleyError, type OptionKinds } from '@parley/core'
import type { EvalCase } from './eval-case.ts'

/** Options of `readJsonl` and `readCsv`. */
export interface FileOptions<TRow, TInput, TExpected> {
  /**
   * Makes a case of a record. An error that it throws is reported with file and line, so it may validate with a schema.
   * @default the fields `id`, `input`, `expected` and `metadata`
   */
  readonly toCase?: ((row: TRow, line: number) => EvalCase<TInput, TExpected>) | undefined
}

const OPTIONS: OptionKinds<FileOptions<unknown, unknown, unknown>> = { toCase: 'function' }

/** A record of a file, and the number of its line. */
export interface FileRecord {
  readonly line: number
  readonly row: Readonly<Record<string, unknown>>
}

export interface FileFormat<TRow> {
  /** The function of the format, for errors about its options. */
  readonly name: string
  /** Splits the text into records. May throw ParleyError. */
  readonly parse: (text: string, path: string) => readonly FileRecord[]
  readonly toCase: (row: TRow, line: number) => EvalCase
}

/** Returns a function that reads the cases of a file. A relative path starts at the working directory of the process. */
export function readRecords<TRow>(
  file: string | URL,
  options: FileOptions<TRow, unknown, unknown>,
  format: FileFormat<TRow>,
): () => Promise<readonly EvalCase[]> {
  checkOptions(format.name, options, OPTIONS)
  const { toCase = format.toCase } = options
  const path = typeof file === 'string' ? file : fileURLToPath(file)
  return async () => {
    const text = await readText(path)
    const lines = new Map<string, number>()
    return format.parse(text, path).map(({ line, row }) => {
      const made = caseOf(() => toCase(row as TRow, line), `${path}:${line}`)
      const before = lines.get(made.id)
      if (before !== undefined) throw invalid(`${path}:${line}`, `the id '${made.id}' is also the id of line ${before}`)
      lines.set(made.id, line)
      return made
    })
  }
}

function caseOf(make: () => EvalCase, path: string): EvalCase {
  let made: EvalCase
  try {
    made = make()
  } catch (cause) {
    throw invalid(path, cause instanceof Error ? cause.message : String(cause), cause)
  }
  const { id, input } = made
  if (typeof id !== 'string' || id === '') throw invalid(path, 'has no id; each case needs one, as a text')
  if (input === undefined) throw invalid(path, 'has no input')
  return made
}

async function readText(path: string): Promise<string> {
  try {
    // Spreadsheet programs write a byte order mark.
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const detail = isMissing ? 'the file with the cases does not exist' : (cause as Error).message
    throw new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
  }
}

/** An error about a line of a file. */
export function invalid(path: string, detail: string, cause?: unknown): ParleyError {
  return new ParleyError({ code: 'config-invalid', path, detail }, { cause })
}
