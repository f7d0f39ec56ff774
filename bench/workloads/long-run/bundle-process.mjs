import path from 'node:path'
import { build } from 'esbuild'

/**
 * Bundles `resume-process.mjs` with the sources of the packages into one file of JavaScript, as users run it, and returns its path. Node.js takes
 * about 50 MB to strip the types of the sources, which would count as memory of the resume.
 */
export async function bundleProcess() {
  const outfile = path.join(import.meta.dirname, '../../node_modules/.cache/resume-process.mjs')
  await build({
    entryPoints: [path.join(import.meta.dirname, 'resume-process.mjs')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@parley/source'],
    external: ['better-sqlite3'],
    logLevel: 'error',
  })
  return outfile
}
