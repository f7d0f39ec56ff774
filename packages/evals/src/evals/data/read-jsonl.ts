import type { EvalCase } from './eval-case.ts'
import { invalid, readRecords, type FileOptions, type FileRecord } from './read-records.ts'

/**
 * Reads cases from a file with one JSON object a line. Empty lines are skipped.
 * @returns The `data` of an eval, which reads the file when the eval starts. It throws ParleyError `file-unreadable` if the file
 * is missing, and `config-invalid` with file and line if a line is invalid or an id occurs twice.
 */
export function readJsonl<TInput = unknown, TExpected = unknown>(
  file: string | URL,
  options: FileOptions<Readonly<Record<string, unknown>>, TInput, TExpected> = {},
): () => Promise<readonly EvalCase<TInput, TExpected>[]> {
  const read = readRecords(file, options, { name: 'readJsonl', parse, toCase: row => row as unknown as EvalCase })
  // Without `toCase` the caller names the types.
  return read as () => Promise<readonly EvalCase<TInput, TExpected>[]>
}

function parse(text: string, path: string): readonly FileRecord[] {
  const records: FileRecord[] = []
  for (const [index, line] of text.split('\n').entries())
    if (line.trim() !== '') records.push({ line: index + 1, row: rowOf(line, `${path}:${index + 1}`) })
  return records
}

function rowOf(line: string, path: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw invalid(path, `is not JSON: ${(cause as Error).message}`, cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(path, 'must be a JSON object')
  return value as Readonly<Record<string, unknown>>
}
