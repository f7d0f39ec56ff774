import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const STUDIO = join(import.meta.dirname, '../..')
const BUILT = join(STUDIO, 'dist/page/index.html')
const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json']

/** Builds the page of the studio before tests that serve it, unless it is newer than its sources. */
export async function setup(): Promise<void> {
  if (existsSync(BUILT) && statSync(BUILT).mtimeMs > Math.max(...SOURCES.map(newest))) return
  const vite = join(STUDIO, 'node_modules/vite/bin/vite.js')
  // The environment of tests would build the development form of React.
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'error'], { cwd: STUDIO, env })
}

function newest(name: string): number {
  const path = join(STUDIO, name)
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return Math.max(...files.map(entry => statSync(join(entry.parentPath, entry.name)).mtimeMs))
}
