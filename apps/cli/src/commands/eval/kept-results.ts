import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ParleyError } from '@parley/core'
import type { EvalResult } from '@parley/evals'

/** The folder of the results, below the working directory. */
const FOLDER = '.parley/evals'

/** The file that keeps the result of an eval: one for each commit, and one for each commit with changes. */
function pathOfResult({ name, version: { commit, dirty = false } }: Pick<EvalResult, 'name' | 'version'>): string {
  return join(FOLDER, name, `${commit ?? 'no-commit'}${dirty ? '-dirty' : ''}.json`)
}

/** Keeps a result. An earlier one of the same commit is replaced. */
export async function keepResult(result: EvalResult): Promise<void> {
  await writeWhole(pathOfResult(result), `${JSON.stringify(result, undefined, 2)}\n`)
}

/** Writes a file, so that a crash leaves the old one or the new one. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, text)
  await rename(temporary, path)
}

/**
 * Reads the result of an eval to compare with.
 * @param from A file, or whatever names a commit: an id or its beginning, a branch, a tag.
 * @throws ParleyError `file-unreadable` if there is no such result, `config-invalid` if the file holds none of this eval.
 */
export async function readKeptResult(name: string, from: string): Promise<EvalResult> {
  const path = from.endsWith('.json') ? from : await pathOfCommit(name, from)
  let value: Partial<EvalResult>
  try {
    value = JSON.parse(await readFile(path, 'utf8')) as Partial<EvalResult>
  } catch (cause) {
    throw new ParleyError({ code: 'file-unreadable', path, detail: (cause as Error).message }, { cause })
  }
  if (value.format === 1 && value.name === name && Array.isArray(value.cases)) return value as EvalResult
  throw new ParleyError({ code: 'config-invalid', path, detail: `holds no result of the eval '${name}'` })
}

async function pathOfCommit(name: string, from: string): Promise<string> {
  const folder = join(FOLDER, name)
  const kept = (await readdir(folder).catch(() => [])).filter(file => file.endsWith('.json'))
  const commit = await resolveCommit(from)
  // The result of the commit itself comes before that of the commit with changes.
  const found = [`${commit}.json`, `${from}.json`].find(file => kept.includes(file))
  const file = found ?? kept.toSorted().find(each => each.startsWith(commit) || each.startsWith(from))
  if (file !== undefined) return join(folder, file)
  const known = kept.length === 0 ? 'none is kept yet' : `kept: ${kept.map(each => each.slice(0, 10)).join(', ')}`
  const detail = `there is no result of the eval '${name}' for '${from}'; ${known}. Check out that commit and run \`parley eval\` there`
  throw new ParleyError({ code: 'file-unreadable', path: folder, detail })
}

async function resolveCommit(from: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', [
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${from}^{commit}`,
    ])
    return stdout.trim()
  } catch {
    return from
  }
}
