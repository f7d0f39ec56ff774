import { fileURLToPath } from 'node:url'
import { bundledPackages } from './bundled-packages.ts'
import { runCommand } from './run-command.ts'
import type { Tarball } from './tarball.ts'

const BIN = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url))
const REQUIRED: readonly string[] = ['README.md', 'SKILL.md', 'LICENSE', 'package.json']
/** Files that the build of one package adds. */
const REQUIRED_OF: Readonly<Record<string, readonly string[]>> = { '@parley/cli': ['dist/docs.json.br'] }
const NOTICES = 'THIRD-PARTY-LICENSES.md'

/** Checks the manifest (publint), the types (attw) and the files of a tarball. Each problem names the package. */
export async function lintTarball({ path, manifest, files }: Tarball): Promise<readonly string[]> {
  const checks = [['publint', path, '--strict']]
  // A package without exports has no types to check.
  if (manifest.exports !== undefined) checks.push(['attw', path, '--profile', 'esm-only', '--no-emoji', '--no-color'])
  const results = await Promise.all(checks.map(([name = '', ...args]) => runCommand(`${BIN}${name}`, args)))
  const failed = results.flatMap(({ ok, output }, index) => (ok ? [] : [`${checks[index]?.[0] ?? ''}:\n${output}`]))
  const required = [...REQUIRED, ...(REQUIRED_OF[manifest.name] ?? [])]
  const missing = required.filter(file => !files.includes(file)).map(file => `${file} is not in the package`)
  // A template of a project has tests and sources of its own.
  const own = files.filter(file => !file.startsWith('templates/'))
  const strays = own.filter(file => /\.test\.|__fixtures__|^src\//.test(file)).map(file => `${file} is published`)
  const unlicensed = await bundledWithoutLicense(path, files)
  return [...failed, ...missing, ...strays, ...unlicensed].map(problem => `${manifest.name}: ${problem}`)
}

/**
 * Returns a problem for each bundled package whose license text is missing. The licenses require a copy of their text.
 */
async function bundledWithoutLicense(path: string, files: readonly string[]): Promise<readonly string[]> {
  const code = await readFiles(
    path,
    files.filter(file => /\.[cm]?js$/.test(file)),
  )
  const notices = await readFiles(
    path,
    files.filter(file => file === NOTICES),
  )
  const headings = new Set(notices.split('\n').filter(line => line.startsWith('## ')))
  return bundledPackages(code)
    .filter(name => !headings.has(`## ${name}`))
    .map(name => `${NOTICES} lacks the license of the bundled package ${name}`)
}

async function readFiles(path: string, files: readonly string[]): Promise<string> {
  if (files.length === 0) return ''
  const read = await runCommand('tar', ['-xzOf', path, ...files.map(file => `package/${file}`)])
  if (!read.ok) throw new Error(`${path} cannot be read:\n${read.output}`)
  return read.stdout
}
