import { execFile } from 'node:child_process'
import { copyFile, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const FOLDER = fileURLToPath(new URL('../programs/', import.meta.url))
const LOCKFILE = path.join(FOLDER, 'pnpm-lock.yaml')
const INSTALLED = path.join(FOLDER, 'node_modules/.installed.yaml')
const BUSY = path.join(FOLDER, 'node_modules/.installing')
/** After this time a process that installs is assumed to be dead. */
const STALE_MS = 600_000

/** Finds packages of the workspace `programs`. */
export const programs: NodeJS.Require = createRequire(path.join(FOLDER, 'package.json'))

/**
 * Installs the programs that tests start, unless they are installed. They are large, so an installation of the repository leaves
 * them out.
 * @throws An error with the output of pnpm.
 */
export async function installPrograms(): Promise<void> {
  while (!(await isInstalled())) {
    await mkdir(path.dirname(BUSY), { recursive: true })
    const lock = await open(BUSY, 'wx').catch(() => undefined)
    if (lock === undefined) {
      // Another process installs.
      if (Date.now() - (await startOf(BUSY)) > STALE_MS) await rm(BUSY, { force: true })
      await sleep(100)
      continue
    }
    try {
      await lock.close()
      const command = ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline']
      await promisify(execFile)('npx', command, { cwd: FOLDER, env: { ...process.env, CI: '1' } })
      await copyFile(LOCKFILE, INSTALLED)
    } finally {
      await rm(BUSY, { force: true })
    }
  }
}

async function isInstalled(): Promise<boolean> {
  const [wanted, found] = await Promise.all([LOCKFILE, INSTALLED].map(file => readFile(file, 'utf8').catch(() => file)))
  return wanted === found
}

async function startOf(file: string): Promise<number> {
  const stats = await stat(file).catch(() => undefined)
  return stats?.mtimeMs ?? Date.now()
}
