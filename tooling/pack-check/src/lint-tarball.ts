import { fileURLToPath } from 'node:url'
import { runCommand } from './run-command.ts'
import type { Tarball } from './tarball.ts'

const BIN = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url))
const REQUIRED: readonly string[] = ['README.md', 'LICENSE', 'package.json']

/** Checks the manifest (publint), the types (attw) and the files of a tarball. Each problem names the package. */
export async function lintTarball({ path, manifest, files }: Tarball): Promise<readonly string[]> {
  const checks = [['publint', path, '--strict']]
  // A package without exports has no types to check.
  if (manifest.exports !== undefined) checks.push(['attw', path, '--profile', 'esm-only', '--no-emoji', '--no-color'])
  const results = await Promise.all(checks.map(([name = '', ...args]) => runCommand(`${BIN}${name}`, args)))
  const failed = results.flatMap(({ ok, output }, index) => (ok ? [] : [`${checks[index]?.[0] ?? ''}:\n${output}`]))
  const missing = REQUIRED.filter(file => !files.includes(file)).map(file => `${file} is not in the package`)
  const strays = files.filter(file => /\.test\.|__fixtures__|^src\//.test(file)).map(file => `${file} is published`)
  return [...failed, ...missing, ...strays].map(problem => `${manifest.name}: ${problem}`)
}
