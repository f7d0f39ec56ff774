import { resolve } from 'node:path'
import type { ProfileData } from '../schema/agent-schema.ts'
import type { ConfigData } from '../schema/config-schema.ts'

/** Resolves the relative paths of a configuration from its folder. */
export function resolvePaths(data: ConfigData, folder: string): ConfigData {
  const all = (paths: readonly string[]): string[] => paths.map(path => resolve(folder, path))
  const withSkills = <TAgent extends ProfileData>(agent: TAgent): TAgent =>
    agent.skills === undefined ? agent : { ...agent, skills: all(agent.skills) }
  const { workspace, mcpServers, profiles, runtime } = data
  return {
    ...data,
    agents: mapValues(data.agents, withSkills),
    ...(profiles && { profiles: mapValues(profiles, withSkills) }),
    ...(workspace && {
      workspace: {
        ...workspace,
        roots: all(workspace.roots),
        ...(workspace.runRoots && { runRoots: all(workspace.runRoots) }),
      },
    }),
    ...(mcpServers && {
      mcpServers: mapValues(mcpServers, server =>
        server.cwd === undefined ? server : { ...server, cwd: resolve(folder, server.cwd) },
      ),
    }),
    ...(runtime?.store !== undefined && { runtime: { ...runtime, store: storeAt(runtime.store, folder) } }),
  }
}

function storeAt(store: string, folder: string): string {
  return store === ':memory:' || /^[a-z][\w+.-]*:\/\//i.test(store) ? store : resolve(folder, store)
}

function mapValues<TValue>(
  values: Readonly<Record<string, TValue>>,
  change: (value: TValue) => TValue,
): Record<string, TValue> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
