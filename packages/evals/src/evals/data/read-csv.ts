import { CsvError, parse as parseCsv, type Info } from 'csv-parse/sync'
import type { EvalCase } from './eval-case.ts'
import { invalid, readRecords, type FileOptions, type FileRecord } from './read-records.ts'

/** A row of a CSV file: a text for each column. */
export type CsvRow = Readonly<Record<string, string>>

/**
 * Reads cases from a CSV file whose first line names the columns. `id` and `input` are required; an empty `expected` counts as
 * missing; other columns become metadata.
 * @returns The `data` of an eval, which reads the file when the eval starts. It throws ParleyError `file-unreadable` if the file
 * is missing, and `config-invalid` with file and line if a row is invalid or an id occurs twice.
 */
export function readCsv<TInput = string, TExpected = string>(
  file: string | URL,
  options: FileOptions<CsvRow, TInput, TExpected> = {},
): () => Promise<readonly EvalCase<TInput, TExpected>[]> {
  const read = readRecords(file, options, { name: 'readCsv', parse, toCase })
  return read as () => Promise<readonly EvalCase<TInput, TExpected>[]>
}

function parse(text: string, path: string): readonly FileRecord[] {
  try {
    const records = parseCsv(text, { columns: true, info: true, skip_empty_lines: true }) as unknown as readonly {
      readonly record: CsvRow
      readonly info: Info
    }[]
    return records.map(({ record, info }) => ({ line: info.lines, row: record }))
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    const { lines } = cause as { readonly lines?: number }
    throw invalid(lines === undefined ? path : `${path}:${lines}`, cause.message, cause)
  }
}

function toCase({ id = '', input, expected, ...others }: CsvRow): EvalCase {
  const metadata = Object.keys(others).length === 0 ? undefined : others
  return { id, input, expected: expected === '' ? undefined : expected, metadata }
}
