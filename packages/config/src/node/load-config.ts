import { readFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { ParleyError } from '@parley/core'
import type { Config } from '../schema/config.ts'
import { problemsError, type Problem } from '../parse/problem.ts'
import { parseConfig, type ConfigFormat } from '../parse/parse-config.ts'
import type { Environment } from '../parse/resolve-environment.ts'
import { createFileReader } from './create-file-reader.ts'
import { inlineFiles } from './inline-files.ts'

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

/**
 * Reads a configuration file and the files that it names: instructions and schemas. Those files must be inside its folder, also
 * after symbolic links are followed. A relative SQLite path in `runtime.store` is resolved from that folder. Environment references
 * inside the named files are not replaced.
 * @throws ParleyError `file-unreadable` if the file cannot be read; `config-invalid` with all problems of the file and of the files
 * that it names.
 */
export async function loadConfig(path: string, { environment = process.env }: LoadConfigOptions = {}): Promise<Config> {
  const format = FORMATS[extname(path).toLowerCase()]
  if (format === undefined) {
    const detail = `must end in one of ${Object.keys(FORMATS).join(', ')}`
    throw new ParleyError({ code: 'config-invalid', path, detail })
  }
  const config = parseConfig(await read(path), { format, environment, path })
  const folder = dirname(resolve(path))
  const problems: Problem[] = []
  const data = await inlineFiles(config.data, createFileReader(folder, problems))
  if (problems.length > 0) throw problemsError(problems, config.source)
  const store = data.runtime?.store
  if (store === undefined || store === ':memory:' || /^[a-z][\w+.-]*:\/\//i.test(store)) return { ...config, data }
  return { ...config, data: { ...data, runtime: { ...data.runtime, store: resolve(folder, store) } } }
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
