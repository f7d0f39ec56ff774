import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkTypes } from './check-types.ts'
import { PROGRAM_DEPENDENCIES } from './packed-programs.ts'
import { runPrograms, type ProgramsReport } from './run-programs.ts'
import { installPackages } from './install-packages.ts'
import { runCommand } from './run-command.ts'
import { importableSpecifiers, type PackedManifest, type Tarball } from './tarball.ts'

export interface InstallOptions {
  readonly tarballs: readonly Tarball[]
  /** The version of Node.js that is installed with the tarballs and imports them. */
  readonly node: string
}

/** All packages installed together with npm in an empty folder. Disposing it deletes the folder. */
export interface Installation extends AsyncDisposable {
  /** The name and version of the runtime, for reports. */
  readonly node: string
  /** Compiles an import of every subpath in a bare TypeScript project. */
  checkTypes(): Promise<readonly string[]>
  /** Runs the programs of new users, which are in the repository. */
  runPrograms(root: string): Promise<ProgramsReport>
  /** Imports every subpath of every package, each in its own process. */
  importAll(): Promise<{ readonly imported: number; readonly failures: readonly string[] }>
}

// These subpaths load only inside a test runner, so their imports and their peer dependencies are not checked.
const NEEDS_RUNNER: ReadonlySet<string> = new Set(['@parley/testing/contract'])

/** Packages whose types name types of Node.js. Their README says which package to install. */
const NEEDS_NODE_TYPES = /^@parley\/(tools|restate)(\/|$)/
/** What such a project installs. A bare project does not see it, because TypeScript loads no `@types` package by itself. */
const TYPES = { '@types/node': '24' }

export async function openInstallation({ tarballs, node }: InstallOptions): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-install-'))
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true })
  const dependencies = Object.fromEntries(tarballs.map(({ path, manifest }) => [manifest.name, `file:${path}`]))
  // A user who imports a subpath with an optional peer dependency has installed that dependency.
  const peers = Object.assign({}, ...tarballs.map(({ manifest }) => peersOf(manifest))) as Record<string, string>
  try {
    await installPackages({
      folder,
      dependencies: { ...peers, ...dependencies, ...PROGRAM_DEPENDENCIES, ...TYPES, node },
    })
  } catch (error) {
    await close()
    throw error
  }
  const binary = join(folder, 'node_modules/node/bin/node')
  const specifiers = tarballs.flatMap(tarball => importableSpecifiers(tarball.manifest))
  const wanted = specifiers.filter(specifier => !NEEDS_RUNNER.has(specifier))

  return {
    node: `node ${node}`,
    async checkTypes() {
      const forNode = wanted.filter(specifier => NEEDS_NODE_TYPES.test(specifier))
      const others = wanted.filter(specifier => !forNode.includes(specifier))
      const projects = { anywhere: others, node: forNode }
      const problems: string[] = []
      for (const [name, imports] of Object.entries(projects))
        problems.push(...(await checkTypes({ folder, name, files: { 'imports.ts': importsOf(imports) } })))
      return problems
    },
    runPrograms: root => runPrograms({ root, folder }),
    async importAll() {
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

function importsOf(specifiers: readonly string[]): string {
  const lines = specifiers.map((specifier, index) => `import * as p${index} from '${specifier}'`)
  const names = specifiers.map((_, index) => `p${index}`)
  return `${lines.join('\n')}\nexport const all: readonly object[] = [${names.join(', ')}]\n`
}

function peersOf(manifest: PackedManifest): Readonly<Record<string, string>> {
  const isImported = importableSpecifiers(manifest).every(specifier => !NEEDS_RUNNER.has(specifier))
  return isImported ? (manifest.peerDependencies ?? {}) : {}
}

/** Returns the line with the error message, which Node.js prints between the source and the stack. */
function firstError(output: string): string {
  return output.split('\n').find(line => /Error\b/.test(line)) ?? output
}
