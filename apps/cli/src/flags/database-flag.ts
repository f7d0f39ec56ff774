import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import type { ToolFlags } from '../compose/open-tools.ts'
import { DEFAULT_DATABASE } from '../store/database.ts'
import type { AgentFlags } from './agent-flags.ts'

/** Adds `--db`. Without that flag, the configuration file may name the store. */
export function withDatabaseFlag(command: Command): Command {
  return command
    .option('--db <place>', 'SQLite file or postgres:// address of the database with the runs', DEFAULT_DATABASE)
    .hook('preAction', async (_, action) => {
      const { config } = action.opts<Pick<AgentFlags, 'config'>>()
      if (config === undefined || action.getOptionValueSource('db') !== 'default') return
      const { loadConfig } = await import('@parley/config/node')
      const loaded = await loadConfig(config).catch((error: unknown) => explain(error, config, action))
      action.setOptionValue('loaded', loaded)
      const { data } = loaded
      if (data.runtime?.store !== undefined) action.setOptionValueWithSource('db', data.runtime.store, 'config')
    })
}

/** Throws all problems of the file, including names that are unknown although the other flags register further names. */
async function explain(error: unknown, config: string, action: Command): Promise<never> {
  if (ParleyError.is(error, 'config-invalid')) {
    const { composeConfigFile } = await import('../compose/compose-config-file.ts')
    await composeConfigFile(config, { root: '.', ...action.opts<Partial<ToolFlags>>() })
  }
  throw error
}
