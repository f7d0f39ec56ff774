import { runCommand } from './run-command.ts'
import type { PackedManifest, Tarball } from './tarball.ts'

export interface PackOptions {
  readonly root: string
  /** The folder for the tarballs. */
  readonly into: string
  /** `pnpm@<version>`, as the root package.json names it. */
  readonly packageManager: string
}

interface PackReport {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/**
 * Packs every public package with pnpm. npm ignores `publishConfig.exports`, so its tarballs differ from the published
 * ones.
 */
export async function packPackages({ root, into, packageManager }: PackOptions): Promise<readonly Tarball[]> {
  const pnpm = packageManager.replace(/^(pnpm@\d+).*$/, '$1')
  const filters = ['--filter', './packages/**', '--filter', './apps/**']
  const args = ['-y', pnpm, '-r', ...filters, 'pack', '--pack-destination', into, '--json']
  const packed = await runCommand('npx', args, { cwd: root })
  if (!packed.ok) throw new Error(`pnpm pack failed:\n${packed.output}`)
  const answer = JSON.parse(packed.stdout.slice(packed.stdout.search(/^[[{]/m))) as PackReport | PackReport[]
  const reports = Array.isArray(answer) ? answer : [answer]
  const tarballs = await Promise.all(reports.map(readTarball))
  return tarballs.filter(({ manifest }) => manifest.private !== true)
}

async function readTarball({ filename, files }: PackReport): Promise<Tarball> {
  const read = await runCommand('tar', ['-xzOf', filename, 'package/package.json'])
  if (!read.ok) throw new Error(`${filename} cannot be read:\n${read.output}`)
  return { path: filename, manifest: JSON.parse(read.stdout) as PackedManifest, files: files.map(({ path }) => path) }
}
