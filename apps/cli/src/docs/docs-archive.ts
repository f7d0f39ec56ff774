import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { ParleyError } from '@parley/core'

/** A page of the documentation. */
export interface DocsPage {
  /** Address of the page, for example `errors/model-auth`. */
  readonly address: string
  readonly title: string
  /** The page as Markdown. */
  readonly text: string
}

/** The archive that the build puts beside the code. */
const ARCHIVE = fileURLToPath(new URL('docs.json.br', import.meta.url))

/** Reads the documentation that this package contains. @throws ParleyError `file-unreadable`. */
export function readDocsArchive(path: string = ARCHIVE): readonly DocsPage[] {
  try {
    return JSON.parse(brotliDecompressSync(readFileSync(path)).toString('utf8')) as DocsPage[]
  } catch (cause) {
    const detail = 'this installation has no documentation; the command `pnpm bundle` in apps/cli builds it'
    throw new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
  }
}
