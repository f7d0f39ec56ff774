import { describeError, ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { openTools } from '../compose/open-tools.ts'
import { createResourceStack } from '../compose/resource-stack.ts'
import { withToolFlags, type AgentFlags } from '../flags/agent-flags.ts'
import type { Terminal } from '../render/terminal.ts'

type ToolFlags = Pick<AgentFlags, 'root' | 'tools' | 'mcp'>

/** Adds the command `parley config check`. */
export function addConfigCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('config')
    .summary('check configuration files')
    .description('Checks configuration files without calling a model.')
  const check = command
    .command('check')
    .summary('print the problems or the agents of a file')
    .description(
      'Reads a configuration file as run, chat and serve do. Prints every problem, or the agents of a valid file.',
    )
    .argument('<file>', 'YAML, JSON or TOML file')
  withToolFlags(check).action(async (file: string, flags: ToolFlags) => {
    process.exitCode = await checkFile(file, flags, terminal)
  })
  for (const sub of command.commands) sub.copyInheritedSettings(program)
}

async function checkFile(file: string, flags: ToolFlags, terminal: Terminal): Promise<number> {
  const [{ composeConfig }, { loadConfig }, { configRegistry }] = await Promise.all([
    import('@parley/config'),
    import('@parley/config/node'),
    import('../compose/open-config-agents.ts'),
  ])
  await using resources = createResourceStack()
  const tools = await openTools(flags, resources)
  try {
    const { agents } = await composeConfig(await loadConfig(file), await configRegistry({}, tools))
    terminal.out(`${terminal.style('green', '✓')} ${file}\n`)
    for (const { name, model, tools: own = [] } of agents) {
      const modelName = typeof model === 'object' ? `${model.provider}/${model.id}` : (model ?? '')
      const toolNames = own.map(tool => (typeof tool === 'string' ? tool : tool.name)).join(', ') || 'no tools'
      terminal.out(`  ${name}: ${modelName}, ${toolNames}\n`)
    }
    return 0
  } catch (error) {
    if (!ParleyError.is(error)) throw error
    // Other commands join an error to one line. Here, each problem keeps its own line.
    terminal.error(`parley: ${describeError(error.info)}\n`)
    return 2
  }
}
