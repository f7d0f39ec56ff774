import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

export interface InstallRequest {
  /** The folder. It is empty, or has what an earlier call installed. */
  readonly folder: string
  /** Version ranges, or `file:` addresses of tarballs, by package name. */
  readonly dependencies: Readonly<Record<string, string>>
  /** Versions that replace those that dependencies ask for. @default none */
  readonly overrides?: Readonly<Record<string, string>> | undefined
}

const FLAGS: readonly string[] = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']

/** Installs packages with npm, as a user does. @throws An error with npm's output. */
export async function installPackages({ folder, dependencies, overrides }: InstallRequest): Promise<void> {
  const manifest = { name: 'installation', private: true, type: 'module', dependencies, overrides }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const installed = await runCommand('npm', ['install', ...FLAGS], { cwd: folder })
  if (!installed.ok) throw new Error(`npm install of the tarballs failed:\n${installed.output}`)
}
