import type { Command } from 'commander'
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
      const loaded = await loadConfig(config)
      action.setOptionValue('loaded', loaded)
      const { data } = loaded
      if (data.runtime?.store !== undefined) action.setOptionValueWithSource('db', data.runtime.store, 'config')
    })
}
