import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AGENT_PROGRAM, CALLED, HOVERED, PROGRAM_WITHOUT_ZOD } from './agent-program.ts'
import { checkEditor } from './check-editor.ts'
import { checkTypes } from './check-types.ts'
import { installPackages } from './install-packages.ts'
import { excessOf, measureInstallation, type InstallationSize } from './measure-installation.ts'
import type { Tarball } from './tarball.ts'

/** What a user installs for a working agent: the contracts, the engine and one provider. */
const AGENT: readonly string[] = ['@parley/core', '@parley/engine', '@parley/openai']

const LIMIT = { packages: 4, bytes: 8_000_000 }

/**
 * Installs a working agent in an empty folder, and nothing else. Adds zod, a schema library of the user's choice, after that.
 * Returns the size of the agent, and the problems with its size, its types and what an editor shows.
 */
export async function checkAgent(
  tarballs: readonly Tarball[],
): Promise<{ readonly size: InstallationSize; readonly problems: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-agent-'))
  try {
    const dependencies = agentDependencies(tarballs)
    await installPackages({ folder, dependencies })
    const size = await measureInstallation(folder)
    const bare = await checkTypes({ folder, name: 'without-zod', files: { 'agent.ts': PROGRAM_WITHOUT_ZOD } })
    await installPackages({ folder, dependencies: { ...dependencies, zod: 'latest' } })
    const types = await checkTypes({ folder, name: 'bare', files: { 'agent.ts': AGENT_PROGRAM } })
    const editor = await checkEditor(join(folder, 'bare'), 'agent.ts', { hovers: HOVERED, sources: CALLED })
    return { size, problems: [...excessOf(size, LIMIT), ...bare, ...types, ...editor] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the agent's packages and those of ours that they need, which no registry has yet. */
function agentDependencies(tarballs: readonly Tarball[]): Readonly<Record<string, string>> {
  const byName = new Map(tarballs.map(tarball => [tarball.manifest.name, tarball]))
  const found: Record<string, string> = {}
  const add = (name: string, range: string): void => {
    const tarball = byName.get(name)
    if (name in found || (tarball === undefined && !AGENT.includes(name))) return
    found[name] = tarball === undefined ? range : `file:${tarball.path}`
    for (const [inner, innerRange] of Object.entries(tarball?.manifest.dependencies ?? {})) add(inner, innerRange)
  }
  for (const name of AGENT) add(name, 'latest')
  return found
}
