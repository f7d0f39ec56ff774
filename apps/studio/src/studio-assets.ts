import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'

const compress = promisify(gzipWithCallback)

/** A file of the page. */
export interface StudioAsset {
  readonly body: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
  /** Media type. */
  readonly type: string
}

/** The files of the page by their paths below `/studio/`, for example `assets/index-1a2b.js`. `index.html` is one of them. */
export type StudioAssets = ReadonlyMap<string, StudioAsset>

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Reads the built page for the option `studio` of `createServerApp`.
 * @throws Error if the page is not built
 */
export async function studioAssets(
  folder = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../dist/page' : 'page'),
): Promise<StudioAssets> {
  const names = await readdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new Error(`${folder} has no page of the studio. Build it: pnpm --filter @parley/studio build`, { cause })
  })
  const files = names.filter(name => TYPES[extname(name)] !== undefined)
  return new Map(
    await Promise.all(
      files.map(async (name): Promise<[string, StudioAsset]> => {
        const body = new Uint8Array(await readFile(join(folder, name)))
        const gzip = new Uint8Array(await compress(body))
        return [name.split(sep).join('/'), { body, gzip, type: TYPES[extname(name)] ?? 'application/octet-stream' }]
      }),
    ),
  )
}
