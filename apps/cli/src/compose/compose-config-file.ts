import type { ComposedConfig } from '@parley/config'
import { composeFile } from '@parley/config/node'
import { openSqliteStore } from '@parley/sqlite'
import { configRegistry } from './open-config-agents.ts'
import { checkRoot, openTools, type ToolFlags } from './open-tools.ts'
import { createResourceStack } from './resource-stack.ts'

/**
 * Composes a configuration file without its database and its MCP servers, to check it.
 * @throws ParleyError with all problems of the file.
 */
export async function composeConfigFile(file: string, flags: ToolFlags): Promise<ComposedConfig> {
  checkRoot(flags.root)
  await using resources = createResourceStack()
  const { tools } = await openTools(flags, resources)
  const store = resources.use(await openSqliteStore({ path: ':memory:' }))
  return await composeFile(file, await configRegistry({}, { tools, store }))
}
