import { checkOptions, type OptionKinds } from '@parley/core'
import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PII_KINDS, type PiiKind, type PiiVault } from '../pii/index.ts'
import { RecentMap } from '../pii/recent-map.ts'
import { TokenTable } from '../pii/token-table.ts'
import { ownDirectory, preparePrivateDirectory } from './private-directory.ts'

export interface FileVaultOptions {
  /** Directory of the values. Created if it is missing, accessible only to the current user. The values are stored in plain text. */
  readonly directory: string
}

/** Number of partitions whose values are also held in memory. */
const RECENT = 1_000

const OPTIONS: OptionKinds<FileVaultOptions> = {
  directory: 'string!',
}

/**
 * Creates a vault with one file for each value. Every process that resumes a run can restore the values that the processes
 * before it masked. Several processes may use the directory at the same time. A value is on disk before its placeholder is
 * returned.
 * @throws ParleyError `config-invalid` if an option is unknown or the directory is not writable.
 */
export function createFileVault(options: FileVaultOptions): PiiVault {
  checkOptions('fileVault', options, OPTIONS)
  const { directory } = options
  preparePrivateDirectory('fileVault.directory', directory)
  const partitions = new RecentMap(RECENT, name => new FilePartition(ownDirectory(directory, name)))
  return {
    token: (partition, kind, value) => partitions.get(partition).token(kind, value),
    value: (partition, token) => partitions.get(partition).value(token),
    forget(partition) {
      partitions.delete(partition)
      rmSync(ownDirectory(directory, partition), { recursive: true, force: true })
    },
  }
}

class FilePartition {
  readonly #directory: string
  readonly #table = new TokenTable()

  constructor(directory: string) {
    this.#directory = directory
  }

  token(kind: PiiKind, value: string): string {
    for (;;) {
      const known = this.#table.tokenOf(kind, value)
      if (known !== undefined) return known
      // If the next number is taken, its file is read first. Numbers have no gaps, so no value gets two numbers.
      if (!this.#learn(kind) && this.#claim(this.#table.next(kind), value)) return this.#table.add(kind, value)
    }
  }

  value(token: string): string | undefined {
    const kind = PII_KINDS.find(each => token.startsWith(`[${each.toUpperCase()}_`))
    if (kind === undefined) return undefined
    // Reads further files until the placeholder is known or all files are read.
    while (this.#table.valueOf(token) === undefined && this.#learn(kind));
    return this.#table.valueOf(token)
  }

  /** Reads the value of the next number. Returns `false` if the number is free. */
  #learn(kind: PiiKind): boolean {
    try {
      this.#table.add(kind, readFileSync(this.#fileOf(this.#table.next(kind)), 'utf8'))
      return true
    } catch (error) {
      if (isCode(error, 'ENOENT')) return false
      throw error
    }
  }

  /** Stores the whole value in one step. Returns `false` if another process took the number first. */
  #claim(token: string, value: string): boolean {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    const temporary = join(this.#directory, randomUUID())
    writeFileSync(temporary, value, { flag: 'wx', mode: 0o600, flush: true })
    try {
      linkSync(temporary, this.#fileOf(token))
      return true
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false
      throw error
    } finally {
      unlinkSync(temporary)
    }
  }

  #fileOf(token: string): string {
    return join(this.#directory, token.slice(1, -1))
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
