import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkFields } from '../options/check-fields.ts'
import { PII_KINDS, type PiiKind, type PiiVault } from '../pii/index.ts'
import { RecentMap } from '../pii/recent-map.ts'
import { TokenTable } from '../pii/token-table.ts'
import { ownDirectory, preparePrivateDirectory } from './private-directory.ts'

export interface FileVaultOptions {
  /** Made when it is not there, for this user alone. The values lie in it as they are. */
  readonly directory: string
}

/** Partitions whose values are held in memory, too. */
const RECENT = 1_000

/**
 * A vault in a directory, one file a value: whichever process resumes a run restores what another one has masked. Several
 * may use the directory at once, and a value is on disk before its placeholder is given out.
 * @throws ParleyError `config-invalid` for a directory that cannot be written in.
 */
export function createFileVault(options: FileVaultOptions): PiiVault {
  checkFields('fileVault', options, ['directory'])
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
      // The next number is free, or its file says whose it is: numbers have no gaps, so no value gets two of them.
      if (!this.#learn(kind) && this.#claim(this.#table.next(kind), value)) return this.#table.add(kind, value)
    }
  }

  value(token: string): string | undefined {
    const kind = PII_KINDS.find(each => token.startsWith(`[${each.toUpperCase()}_`))
    if (kind === undefined) return undefined
    // Until it is among what is known, or all there is is known.
    while (this.#table.valueOf(token) === undefined && this.#learn(kind));
    return this.#table.valueOf(token)
  }

  /** Reads the value of the next number, if it is taken. */
  #learn(kind: PiiKind): boolean {
    try {
      this.#table.add(kind, readFileSync(this.#fileOf(this.#table.next(kind)), 'utf8'))
      return true
    } catch (error) {
      if (isCode(error, 'ENOENT')) return false
      throw error
    }
  }

  /** Puts the whole value in place at once; false when another process was faster. */
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
