import { readFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { ParleyError, checkOptions, type OptionKinds } from '@parley/core'
import type { Config } from '../schema/config.ts'
import { writtenKey, type ConfigDraft } from '../parse/config-draft.ts'
import { problemsError, type Problem } from '../parse/problem.ts'
import { draftText, type ConfigFormat } from '../parse/parse-config.ts'
import type { Environment } from '../parse/resolve-environment.ts'
import { createFileReader } from './create-file-reader.ts'
import { inlineFiles } from './inline-files.ts'
import { resolvePaths } from './resolve-paths.ts'

/** Options of `loadConfig`. */
export interface LoadConfigOptions {
  /** Values of environment references. @default process.env */
  readonly environment?: Environment | undefined
}

const FORMATS: Readonly<Record<string, ConfigFormat>> = {
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.json': 'json',
  '.toml': 'toml',
}

const OPTIONS: OptionKinds<LoadConfigOptions> = { environment: 'object' }

/**
 * Reads a configuration file and the files that it names: instructions and schemas. Those files must be inside its folder, even
 * after symbolic links are followed. Other relative paths are resolved from that folder: the SQLite file of `runtime.store`, the
 * workspace, skills, and the directories of MCP servers. Environment references inside the named files are not replaced.
 * @throws ParleyError `file-unreadable` if the file cannot be read; `config-invalid` with all problems of the file and of the files
 * that it names.
 */
export async function loadConfig(path: string, options: LoadConfigOptions = {}): Promise<Config> {
  const { data, source, folder, problems } = await loadDraft(path, options)
  if (problems.length > 0 || data === undefined) throw problemsError(problems, source)
  return { data, source, folder }
}

/**
 * Reads a configuration file and the files that it names. Returns its valid part and the list of its problems.
 * @throws ParleyError `file-unreadable`, or `config-invalid` for the extension.
 */
export async function loadDraft(path: string, options: LoadConfigOptions = {}): Promise<ConfigDraft> {
  checkOptions('loadConfig', options, OPTIONS)
  const { environment = process.env } = options
  const format = FORMATS[extname(path).toLowerCase()]
  if (format === undefined) {
    const detail = `must end in one of ${Object.keys(FORMATS).join(', ')}`
    throw new ParleyError({ code: 'config-invalid', path, detail })
  }
  const draft = draftText(await read(path), { format, environment, path })
  const folder = dirname(resolve(path))
  if (draft.data === undefined) return { ...draft, folder }
  const problems: Problem[] = []
  const data = resolvePaths(await inlineFiles(draft.data, createFileReader(folder, problems)), folder)
  const found = problems.map(problem => ({ ...problem, key: writtenKey(problem.key, draft.dropped) }))
  return { ...draft, data, folder, problems: [...draft.problems, ...found] }
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const detail = code === 'ENOENT' ? 'the file does not exist' : (code ?? String(cause))
    throw new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
  }
}
