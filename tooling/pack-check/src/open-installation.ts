import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'
import { importableSpecifiers, type PackedManifest, type Tarball } from './tarball.ts'

export interface InstallOptions {
  readonly tarballs: readonly Tarball[]
  /** Version of Node.js to install beside them and to import with. */
  readonly node: string
}

/** All packages installed together, as a user would, in an empty folder; gone when disposed. */
export interface Installation extends AsyncDisposable {
  /** Shown in reports. */
  readonly node: string
  /** Imports every subpath of every package, each in a process of its own. */
  importAll(): Promise<{ readonly imported: number; readonly failures: readonly string[] }>
}

// Loaded only inside a test runner, so a plain process cannot import it, nor needs what it needs.
const NEEDS_RUNNER: ReadonlySet<string> = new Set(['@parley/testing/contract'])

export async function openInstallation({ tarballs, node }: InstallOptions): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-install-'))
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true })
  const dependencies = Object.fromEntries(tarballs.map(({ path, manifest }) => [manifest.name, `file:${path}`]))
  // Whoever imports a subpath with an optional peer has installed that.
  const peers = Object.assign({}, ...tarballs.map(({ manifest }) => peersOf(manifest))) as Record<string, string>
  const all = { ...peers, ...dependencies, node }
  const manifest = { name: 'installation', private: true, type: 'module', dependencies: all }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  const installed = await runCommand('npm', ['install', ...flags], { cwd: folder })
  if (!installed.ok) {
    await close()
    throw new Error(`npm install of the tarballs failed:\n${installed.output}`)
  }
  const binary = join(folder, 'node_modules/node/bin/node')
  const specifiers = tarballs.flatMap(tarball => importableSpecifiers(tarball.manifest))

  return {
    node: `node ${node}`,
    async importAll() {
      const wanted = specifiers.filter(specifier => !NEEDS_RUNNER.has(specifier))
      const failures: string[] = []
      for (const specifier of wanted) {
        const code = `if (Object.keys(await import('${specifier}')).length === 0) throw new Error('exports nothing')`
        const run = await runCommand(binary, ['--input-type=module', '-e', code], { cwd: folder })
        if (!run.ok || run.output !== '')
          failures.push(`import '${specifier}' on node ${node}: ${firstError(run.output)}`)
      }
      return { imported: wanted.length, failures }
    },
    [Symbol.asyncDispose]: close,
  }
}

function peersOf(manifest: PackedManifest): Readonly<Record<string, string>> {
  const isImported = importableSpecifiers(manifest).every(specifier => !NEEDS_RUNNER.has(specifier))
  return isImported ? (manifest.peerDependencies ?? {}) : {}
}

/** The line that says what went wrong; Node.js surrounds it with source and stack. */
function firstError(output: string): string {
  return output.split('\n').find(line => /Error\b/.test(line)) ?? output
}
