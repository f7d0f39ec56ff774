import { checkOptions, type Artifact, type ArtifactOwner, type ArtifactStore, type OptionKinds } from '@parley/core'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownDirectory, preparePrivateDirectory } from './private-directory.ts'

export interface FileArtifactsOptions {
  /** Directory of the artifacts. Created if it is missing, accessible only to the current user. Artifacts are never removed. */
  readonly directory: string
}

const OPTIONS: OptionKinds<FileArtifactsOptions> = {
  directory: 'string!',
}

/**
 * Creates an artifact store with one file for each artifact. Every process that resumes a run can read the artifacts of the
 * processes before it.
 * @throws ParleyError `config-invalid` if an option is unknown or the directory is not writable.
 */
export function createFileArtifacts(options: FileArtifactsOptions): ArtifactStore {
  checkOptions('fileArtifacts', options, OPTIONS)
  const { directory } = options
  preparePrivateDirectory('fileArtifacts.directory', directory)
  const directoryOf = ({ scope, sessionId }: ArtifactOwner): string =>
    ownDirectory(directory, JSON.stringify([scope, sessionId]))
  return {
    async put(owner, { text, tool, callId }) {
      const own = directoryOf(owner)
      const content = JSON.stringify({ text, tool, callId })
      const id = `artifact_${createHash('sha256').update(content).digest('hex').slice(0, 24)}`
      await mkdir(own, { recursive: true, mode: 0o700 })
      const temporary = join(own, randomUUID())
      await writeFile(temporary, content, { flag: 'wx', mode: 0o600, flush: true })
      await rename(temporary, join(own, id))
      return id
    },
    async get(owner, id) {
      if (!/^artifact_[0-9a-f]{24}$/.test(id)) return undefined
      try {
        return JSON.parse(await readFile(join(directoryOf(owner), id), 'utf8')) as Artifact
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
  }
}
